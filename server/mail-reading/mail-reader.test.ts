import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../platform/log.ts'
import { createMailReader, type ReaderLimits } from './mail-reader.ts'
import type { MailReader } from './reading.ts'
import type { Answer } from './thread-messages.ts'

const readers: MailReader[] = []
const logged: string[] = []
function aReader(limits: Partial<ReaderLimits> = {}): MailReader {
  const reader = createMailReader({ limits, log: createLog('warn', { write: (line) => logged.push(line) }) })
  readers.push(reader)
  return reader
}
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(readers.splice(0).map((reader) => reader.close()))
  logged.length = 0
})

const letter = (words: string): Buffer =>
  Buffer.from(`From: Ann <ann@x.test>\nSubject: hello\nContent-Type: text/html\n\n<p>${words}</p>`)
const PARAGRAPH = '<p style="color:red;margin:0 1px;padding:0;border:1px solid red;font-family:a,b,c">x</p>'
/** Takes a thread a third of a second to clean, and a few milliseconds to read plainly. */
const slow = letter(PARAGRAPH.repeat(40_000))
/** Not done either after a moment in which this process had no turn. */
const slowest = letter(PARAGRAPH.repeat(400_000))

describe('the reader of mails', () => {
  it('reads in a thread of its own, many at once and each as it is', async () => {
    const reader = aReader()
    const mails = await Promise.all(
      Array.from({ length: 50 }, (_, n) => reader.read(letter(`number ${n}`), 'ann@x.test')),
    )
    expect(mails.map((mail) => mail?.preview)).toEqual(mails.map((_, n) => `number ${n}`))
  })

  it('leaves the bytes to their owner', async () => {
    const raw = letter('mine')
    await aReader().read(raw, 'ann@x.test')
    expect(raw.toString()).toContain('mine')
  })

  it('ends a thread that takes too long, keeps what it had found, and goes on with the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const reader = aReader({ timeMs: 1_000, threads: 1 })
    const thread = once(process, 'worker').then(([worker]: Worker[]) => {
      // However fast this machine is, the time is over when the mail is read plainly, and not yet cleaned.
      worker?.on('message', ({ kind }: Answer) => kind === 'so-far' && vi.advanceTimersByTime(1_000))
      return worker && once(worker, 'exit')
    })
    const mail = await reader.read(slowest, 'ann@x.test')
    await thread
    expect(mail).toMatchObject({
      subject: 'hello',
      from: { address: 'ann@x.test' },
      html: null,
      isPartial: true,
    })
    expect(mail?.preview).toMatch(/^x x x/)
    expect(logged.join()).toContain('took too long')
    expect((await reader.read(letter('next'), 'ann@x.test'))?.preview).toBe('next')
  })

  it('says of a file that it takes too long, not that there is none', { tags: 'thorough' }, async () => {
    await expect(aReader({ timeMs: 0 }).attachment(slowest, 0)).rejects.toThrow('Please try again')
  })

  it('lets no slow mail hold up the others', { tags: 'thorough' }, async () => {
    const reader = aReader()
    await Promise.all([1, 2].map(() => reader.read(letter('starts both threads'), 'ann@x.test')))
    const order: string[] = []
    await Promise.all([
      reader.read(slow, 'ann@x.test').then(() => order.push('slow')),
      reader.read(letter('quick'), 'ann@x.test').then(() => order.push('quick')),
    ])
    expect(order).toEqual(['quick', 'slow'])
  })

  it('survives a thread that runs out of memory, and loses only what that one could not finish', {
    tags: 'thorough',
  }, async () => {
    const reader = aReader({ memoryMb: 24, timeMs: 20_000 })
    const mail = await reader.read(slow, 'ann@x.test')
    expect(mail).toMatchObject({ subject: 'hello', html: null })
    expect(logged.join()).toContain('crashed')
    expect((await reader.read(letter('next'), 'ann@x.test'))?.preview).toBe('next')
  })

  it('reads of a mail beyond all limits the beginning', async () => {
    const reader = aReader({ bytes: 10_000 })
    const mail = await reader.read(Buffer.concat([letter('begins'), Buffer.alloc(20_000, 'x')]), 'ann@x.test')
    expect(mail).toMatchObject({ subject: 'hello', html: null, attachments: [], isPartial: true })
    expect(mail?.preview).toMatch(/^begins/)
  })

  it('says when it is closed, instead of judging a mail that it has not read', async () => {
    const reader = aReader({ threads: 1 })
    const starting = Promise.allSettled([slow, slow].map((raw) => reader.read(raw, 'ann@x.test')))
    await reader.close()
    for (const one of await starting)
      expect(one).toMatchObject({ reason: { message: 'the mail reader was closed' } })
    await expect(reader.read(letter('late'), 'ann@x.test')).rejects.toThrow('closed')
  })

  it('says so too of the one that it is just reading', async () => {
    const reader = aReader()
    await reader.read(letter('starts the thread'), 'ann@x.test')
    const reading = Promise.allSettled([reader.read(slow, 'ann@x.test')])
    await setImmediate()
    await reader.close()
    expect((await reading)[0]).toMatchObject({ reason: { message: 'the mail reader was closed' } })
  })

  it('keeps no process alive that has nothing else to do', { tags: 'thorough' }, async () => {
    const program = `
      const { createMailReader } = await import(${JSON.stringify(join(import.meta.dirname, 'mail-reader.ts'))})
      const mail = await createMailReader().read(Buffer.from('From: a@b.test\\n\\nhello'), 'a@b.test')
      process.stdout.write(mail.preview)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    expect(stdout).toBe('hello')
  })
})
