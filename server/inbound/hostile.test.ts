import { describe, expect, it } from 'vitest'
import { aReceiver, upToData } from '../test/receiver.ts'
import { aReceiverProcess } from '../test/receiver-process.ts'
import { aConversation, type Conversation, mailIn } from '../test/smtp-conversation.ts'

const MB = 1_000_000

describe('somebody who means harm', () => {
  /** As much as is asked for, in pieces, until the other side has had enough. */
  async function pour(line: Conversation, piece: string, bytes: number): Promise<number> {
    const chunk = Buffer.alloc(65_536, piece)
    let isOver = false
    void line.ended.then(() => (isOver = true))
    let sent = 0
    for (; sent < bytes && !isOver; sent += chunk.length) await line.write(chunk)
    return sent
  }

  /** Of one return path, which is read in any case. */
  const spelling = (n: number): string =>
    `b-${'x'.repeat(58).replace(/x/g, (sign, at: number) => ((n >> (at % 29)) & 1 ? sign.toUpperCase() : sign))}`

  async function isCutOff(_what: string, piece: string, name: string): Promise<void> {
    await using receiver = await aReceiverProcess()
    const { port, isWarm, growth } = receiver
    // What ordinary mails leave behind is no part of the measure.
    for (let n = 0; n < 10; n += 1) await mailIn(port, [`${name}@in.example.test`], 'a mail like any other')
    await isWarm()
    for (let n = 0; n < 3; n += 1) {
      await using line = await upToData(port, `${name}@in.example.test`)
      expect(await pour(line, piece, 1_000 * MB)).toBeLessThan(100 * MB)
    }
    expect((await growth()) / MB).toBeLessThan(50)
    await using again = await upToData(port)
    expect(await again.say('it goes on\r\n.')).toMatch(/^250 /)
  }

  it.each([['a gigabyte in one line', 'x', 'b-1']])(
    'with %s, again and again, is cut off, and no memory is spent on it',
    isCutOff,
  )

  it.each([
    ['a gigabyte in one line to somebody’s inbox', 'x', 'inbox-1'],
    ['a gigabyte of short lines', 'x\r\n', 'inbox-1'],
  ])('with %s, again and again, is cut off, and no memory is spent on it', { tags: 'thorough' }, isCutOff)

  it('with a mail above the limit hears so, and may go on', async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
    await using line = await upToData(port, 'inbox-1@in.example.test')
    await pour(line, 'lines of text\r\n', 25.5 * MB)
    expect(await line.say('\r\n.')).toMatch(/^552 5\.3\.4 /)
    expect(await line.say('MAIL FROM:<> SIZE=25000001')).toMatch(/^552 /)
    expect(await line.say('NOOP')).toMatch(/^250 /)
    expect(taken).toEqual([])
  })

  it('with a mail just below the limit is heard to the end: a report at its beginning, a letter whole', async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
    for (const name of ['b-1', 'inbox-1']) {
      await using line = await upToData(port, `${name}@in.example.test`)
      const sent = await pour(line, 'X-Header: value\r\n', 24 * MB)
      expect(await line.say('\r\n.')).toMatch(/^250 /)
      expect(taken.pop()?.raw).toHaveLength(name === 'b-1' ? 500_000 : sent + 2)
    }
  })

  it('with more mails at once than memory is meant for waits, and comes again later', {
    tags: 'thorough',
  }, async () => {
    await using receiver = await aReceiver({ memory: { bytes: 5 * MB, patienceMs: 100, stalledMs: 60_000 } })
    const { port, taken } = receiver
    await using first = await upToData(port, 'inbox-1@in.example.test')
    await pour(first, 'first\r\n', 4 * MB)
    await using second = await upToData(port, 'inbox-2@in.example.test')
    await pour(second, 'second\r\n', 4 * MB)
    expect(await second.say('\r\n.')).toMatch(/^452 /)
    expect(await first.say('\r\n.')).toMatch(/^250 /)
    expect(await mailIn(port, ['inbox-2@in.example.test'], 'x'.repeat(900))).toMatch(/^250 /)
    expect(taken).toHaveLength(2)
  })

  it('on many lines from one address fills no room that others need', { tags: 'thorough' }, async () => {
    await using receiver = await aReceiver({ memory: { bytes: 4 * MB } })
    const { port } = receiver
    await using lines = new AsyncDisposableStack()
    const slow: Conversation[] = []
    for (let n = 0; n < 15; n += 1) {
      slow.push(lines.use(await upToData(port, 'inbox-1@in.example.test', { from: '127.0.1.1' })))
      await pour(slow[n] as Conversation, 'and so on\r\n', 200_000)
    }
    await using other = await upToData(port, 'inbox-2@in.example.test')
    await pour(other, 'a mail of some size\r\n', 1.5 * MB)
    expect(await other.say('\r\n.')).toMatch(/^250 /)
    const answers = await Promise.all(slow.map(async (line) => (await line.say('\r\n.')).slice(0, 3)))
    expect(answers.filter((code) => code === '452').length).toBeLessThan(10)
    expect(answers.filter((code) => code === '250').length).toBeGreaterThan(5)
  })

  it('with a mail that comes drop by drop loses its room to whoever waits', {
    tags: 'thorough',
  }, async () => {
    await using receiver = await aReceiver({ memory: { bytes: 4 * MB, patienceMs: 5_000, stalledMs: 300 } })
    const { port } = receiver
    await using slow = await upToData(port, 'inbox-1@in.example.test')
    await pour(slow, 'so far so good\r\n', 3.5 * MB)
    await using other = await upToData(port, 'inbox-2@in.example.test')
    await pour(other, 'a mail of some size\r\n', 2 * MB)
    expect(await other.say('\r\n.')).toMatch(/^250 /)
    expect(await slow.say('\r\n.')).toMatch(/^452 /)
    expect(await slow.say('NOOP')).toMatch(/^250 /)
  })

  it('with a mail of nothing but dots, which comes in the smallest of pieces, spends no memory either', {
    tags: 'thorough',
  }, async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
    const before = process.memoryUsage().rss
    await using line = await upToData(port)
    await pour(line, '..\r\n', MB)
    expect(await line.say('\r\n.')).toMatch(/^250 /)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB)
    expect(taken[0]?.raw).toBe('.\r\n'.repeat(166_667).slice(0, 500_000))
  })

  it('with a command that does not end is left', async () => {
    await using receiver = await aReceiver()
    const { port } = receiver
    await using line = await aConversation(port)
    await line.reply()
    expect(await pour(line, 'x', 100 * MB)).toBeLessThan(10 * MB)
  })

  it.each([
    ['one recipient in ever other spelling', (n: number) => [`RCPT TO:<${spelling(n)}@in.example.test>`]],
    [
      'recipients that it takes back by RSET',
      (n: number) => ['RSET', 'MAIL FROM:<>', `RCPT TO:<b-${n}@in.example.test>`],
    ],
  ])('naming %s, and bringing no mail, is left, and no memory is spent on it', async (_what, commands) => {
    await using receiver = await aReceiverProcess()
    const { port, isWarm, growth } = receiver
    for (let n = 0; n < 10; n += 1) await mailIn(port, ['b-1@in.example.test'], 'a mail like any other')
    await isWarm()
    await using line = await aConversation(port)
    await line.reply()
    await line.say('EHLO mx.example.test')
    await line.say('MAIL FROM:<>')
    let isOver = false
    void line.ended.then(() => (isOver = true))
    let said = 0
    for (; !isOver && said < 300_000; said += 1_000) {
      const many = Array.from({ length: 1_000 }, (_, n) => commands(said + n)).flat()
      await line.write(`${many.join('\r\n')}\r\n`)
      // The line may end before all of them are answered.
      await Promise.allSettled(many.map(() => line.reply()))
    }
    expect((await growth()) / MB).toBeLessThan(50)
    expect(said).toBeLessThan(10_000)
    expect(await mailIn(port, ['b-1@in.example.test'], 'it goes on')).toMatch(/^250 /)
  })

  it('is told from a relay that brings report after report on one line', async () => {
    await using receiver = await aReceiver({ limits: { recipientsWithoutMail: 3 } })
    const { port, taken } = receiver
    await using line = await upToData(port)
    for (let n = 0; n < 10; n += 1) {
      expect(await line.say('a report\r\n.')).toMatch(/^250 /)
      await line.say('MAIL FROM:<>')
      expect(await line.say(`RCPT TO:<b-${n}@in.example.test>`)).toMatch(/^250 /)
      await line.say('DATA')
    }
    expect(taken).toHaveLength(10)
  })

  it('on fifty silent lines keeps nobody else waiting', { tags: 'thorough' }, async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
    await using silent = new AsyncDisposableStack()
    let left = 0
    for (let n = 0; n < 50; n += 1) {
      const line = silent.use(await aConversation(port, { from: `127.0.1.${1 + Math.floor(n / 17)}` }))
      await line.reply()
      void line.ended.then(() => (left += 1))
    }
    expect(await mailIn(port, ['b-1@in.example.test'], 'x')).toMatch(/^250 /)
    expect(left).toBe(0)
    expect(taken).toHaveLength(1)
  })

  it('has twenty lines from one address, and all together a hundred', async () => {
    await using receiver = await aReceiver({ limits: { connections: 30 } })
    const { port } = receiver
    await using lines = new AsyncDisposableStack()
    const greetings = async (count: number, from: string): Promise<string[]> => {
      const called = await Promise.all(Array.from({ length: count }, () => aConversation(port, { from })))
      for (const line of called) lines.use(line)
      return Promise.all(called.map(async (line) => (await line.reply()).slice(0, 3)))
    }
    expect((await greetings(22, '127.0.1.1')).filter((code) => code === '421')).toHaveLength(2)
    expect((await greetings(20, '127.0.1.2')).filter((code) => code === '421')).toHaveLength(10)
  })

  it('who says nothing, or goes on for ever, is left', async () => {
    await using receiver = await aReceiver({ limits: { silentMs: 200 } })
    const { port } = receiver
    await using silent = await aConversation(port)
    await silent.ended
    await using patient = await aReceiver({ limits: { connectionMs: 400 } })
    await using talker = await upToData(patient.port)
    const typing = setInterval(() => void talker.write('x'), 20)
    await talker.ended.finally(() => clearInterval(typing))
  })
})
