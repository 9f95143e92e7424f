import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { aConversation, type Conversation, mailIn } from '../test/smtp-conversation.ts'
import { createReceiver, type Receiver, type ReceiverLimits } from './receiver.ts'
import type { Recipient } from './recipients.ts'

const ANN: Recipient = { kind: 'return', delivery: { campaignId: 'c', seq: 1 } }
const MB = 1_000_000

const open: Receiver[] = []
afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.close()
})

type Taken = { returnPath: string; raw: string; recipients: number }

/** A receiver that knows everybody whose name begins with `b-`, and keeps what it takes. */
async function aReceiver(
  options: { limits?: Partial<ReceiverLimits>; store?: (raw: Buffer) => Promise<void> } = {},
): Promise<{ port: number; taken: Taken[] }> {
  const taken: Taken[] = []
  const receiver = createReceiver({
    domain: 'in.example.test',
    log: createLog('silent'),
    recipientOf: async (address) => (address.startsWith('b-') ? ANN : null),
    async take(raw, recipients) {
      await options.store?.(raw)
      const [returnPath = '', ...lines] = raw.toString('latin1').split('\r\n')
      taken.push({ returnPath, raw: lines.join('\r\n'), recipients: recipients.length })
    },
    limits: { closeMs: 50, ...options.limits },
  })
  open.push(receiver)
  return { port: await receiver.listen({ host: '127.0.0.1', port: 0 }), taken }
}

async function upToData(port: number, to = 'b-1@in.example.test'): Promise<Conversation> {
  const line = await aConversation(port)
  await line.reply()
  await line.say('EHLO mx.example.test')
  await line.say('MAIL FROM:<>')
  expect(await line.say(`RCPT TO:<${to}>`)).toMatch(/^250 /)
  expect(await line.say('DATA')).toMatch(/^354 /)
  return line
}

describe('the receiver', () => {
  it('announces its limit, STARTTLS and no sign-in', async () => {
    const { port } = await aReceiver()
    await using line = await aConversation(port)
    expect(await line.reply()).toBe('220 in.example.test ESMTP Postrider')
    const offers = await line.say('EHLO mx.example.test')
    expect(offers).toContain('SIZE 10000000')
    expect(offers).toContain('STARTTLS')
    expect(offers).not.toContain('AUTH')
    expect(await line.say('AUTH PLAIN AGEAYg==')).toMatch(/^500 /)
  })

  it('takes a mail from an ordinary client, over TLS', async () => {
    const { port, taken } = await aReceiver()
    const client = createTransport({
      host: '127.0.0.1',
      port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
    })
    const sent = await client.sendMail({
      envelope: { from: '', to: 'b-1@in.example.test' },
      raw: 'Subject: x\r\n\r\n.hidden\r\n',
    })
    expect(sent.response).toMatch(/^250 /)
    expect(taken).toMatchObject([{ raw: 'Subject: x\r\n\r\n.hidden\r\n', recipients: 1 }])
  })

  it('refuses everybody who is not here, at once and in words, and passes nothing on', async () => {
    const { port, taken } = await aReceiver()
    await using line = await aConversation(port)
    await line.reply()
    await line.say('EHLO mx.example.test')
    await line.say('MAIL FROM:<mallory@example.test>')
    for (const address of ['ann@example.com', 'postmaster', 'root@in.example.test', 'a%b-1@in.example.test'])
      expect(await line.say(`RCPT TO:<${address}>`)).toBe(
        '550 5.1.1 Nobody here has this address, and no mail is passed on',
      )
    expect(await line.say('DATA')).toMatch(/^503 /)
    expect(taken).toEqual([])
  })

  it('leaves whoever asks for one after the other who is not here', async () => {
    const { port } = await aReceiver({ limits: { refusedPerConnection: 3 } })
    await using line = await aConversation(port)
    await line.reply()
    await line.say('EHLO mx.example.test')
    await line.say('MAIL FROM:<>')
    const answers = []
    for (let n = 0; n < 4; n += 1)
      answers.push((await line.say(`RCPT TO:<x${n}@in.example.test>`)).slice(0, 3))
    expect(answers).toEqual(['550', '550', '550', '421'])
    await line.ended
  })

  it('takes a hundred recipients of one mail and no more', async () => {
    const { port, taken } = await aReceiver()
    await using line = await aConversation(port)
    await line.reply()
    await line.say('EHLO mx.example.test')
    await line.say('MAIL FROM:<>')
    for (let n = 0; n < 100; n += 1)
      expect(await line.say(`RCPT TO:<b-${n}@in.example.test>`)).toMatch(/^250 /)
    expect(await line.say('RCPT TO:<b-100@in.example.test>')).toMatch(/^452 4\.5\.3 /)
    await line.say('DATA')
    expect(await line.say('x\r\n.')).toMatch(/^250 /)
    expect(taken).toEqual([{ returnPath: 'Return-Path: <>', raw: 'x\r\n', recipients: 100 }])
  })

  it('says 250 only when the mail is stored, and 451 when it cannot be', async () => {
    const { promise: storing, resolve: stored } = Promise.withResolvers<void>()
    const { port } = await aReceiver({ store: () => storing })
    let answer = ''
    const sent = mailIn(port, ['b-1@in.example.test'], 'x').then((reply) => (answer = reply))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(answer).toBe('')
    stored()
    expect(await sent).toMatch(/^250 /)

    const away = await aReceiver({ store: () => Promise.reject(new Error('no disk')) })
    expect(await mailIn(away.port, ['b-1@in.example.test'], 'x')).toBe(
      '451 4.3.0 This mail cannot be stored now, please try again later',
    )
    expect(away.taken).toEqual([])
  })

  it('drops a mail whose sender leaves in the middle of it', async () => {
    const { port, taken } = await aReceiver()
    const line = await upToData(port)
    await line.write('half a mail\r\n')
    await line[Symbol.asyncDispose]()
    expect(await mailIn(port, ['b-1@in.example.test'], 'a whole one')).toMatch(/^250 /)
    expect(taken.map(({ raw }) => raw)).toEqual(['a whole one\r\n'])
  })
})

describe('one DATA makes one mail', () => {
  const SMUGGLED = 'MAIL FROM:<>\r\nRCPT TO:<b-2@in.example.test>\r\nDATA\r\nsmuggled'

  it.each(['\n.\n', '\n.\r\n', '\r.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r', '\r\n\0.\r\n'])(
    'whatever looks like its end: %j',
    async (end) => {
      const { port, taken } = await aReceiver()
      await using line = await upToData(port)
      expect(await line.say(`first${end}${SMUGGLED}\r\n.`)).toMatch(/^250 /)
      expect(await line.say('NOOP')).toMatch(/^250 /)
      expect(taken).toHaveLength(1)
      expect(taken[0]?.raw).toContain('smuggled')
    },
  )

  it('however its bytes are cut into pieces', async () => {
    const { port, taken } = await aReceiver()
    await using line = await upToData(port)
    for (const byte of `first\n.\n${SMUGGLED}\r\n..\r\nend\r\n.\r\n`) {
      await line.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await line.reply()).toMatch(/^250 /)
    expect(taken).toHaveLength(1)
    expect(taken[0]?.raw).toContain('\r\n.\r\nend\r\n')
  })

  it('and what is said before STARTTLS is not heard after it', async () => {
    const { port, taken } = await aReceiver()
    const plain = connect(port, '127.0.0.1')
    await once(plain, 'data')
    plain.write('EHLO mx.example.test\r\n')
    await once(plain, 'data')
    plain.write(`STARTTLS\r\nEHLO x\r\n${SMUGGLED}\r\n.\r\n`)
    expect(String(await once(plain, 'data'))).toMatch(/^220 /)
    const secure = connectTls({ socket: plain, rejectUnauthorized: false })
    await once(secure, 'secureConnect')
    secure.write('NOOP\r\nMAIL FROM:<>\r\n')
    // Nobody has said EHLO here yet.
    let heard = ''
    while (!heard.includes('\n5')) heard += await once(secure, 'data')
    expect(heard).toMatch(/^250 [^\n]*OK\r\n503 /)
    secure.destroy()
    expect(taken).toEqual([])
  })
})

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

  it('with a gigabyte in one line is cut off, and no memory is spent on it', async () => {
    const { port, taken } = await aReceiver()
    const before = process.memoryUsage().rss
    await using line = await upToData(port)
    const sent = await pour(line, 'x', 1_000 * MB)
    expect(sent).toBeLessThan(100 * MB)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB)
    expect(taken).toEqual([])
  })

  it('with a mail above the limit hears so, and may go on', async () => {
    const { port, taken } = await aReceiver()
    await using line = await upToData(port)
    await pour(line, 'lines of text\r\n', 11 * MB)
    expect(await line.say('\r\n.')).toMatch(/^552 5\.3\.4 /)
    expect(await line.say('MAIL FROM:<> SIZE=10000001')).toMatch(/^552 /)
    expect(await line.say('NOOP')).toMatch(/^250 /)
    expect(taken).toEqual([])
  })

  it('with ten thousand headers, or a mail just below the limit, is read at its beginning', async () => {
    const { port, taken } = await aReceiver()
    await using line = await upToData(port)
    await pour(line, 'X-Header: value\r\n', 9 * MB)
    expect(await line.say('\r\n.')).toMatch(/^250 /)
    expect(taken[0]?.raw).toHaveLength(500_000)
  })

  it('with a mail of nothing but dots, which comes in the smallest of pieces, spends no memory either', async () => {
    const { port, taken } = await aReceiver()
    const before = process.memoryUsage().rss
    await using line = await upToData(port)
    await pour(line, '..\r\n', MB)
    expect(await line.say('\r\n.')).toMatch(/^250 /)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB)
    expect(taken[0]?.raw).toBe('.\r\n'.repeat(166_667).slice(0, 500_000))
  })

  it('with a command that does not end is left', async () => {
    const { port } = await aReceiver()
    await using line = await aConversation(port)
    await line.reply()
    expect(await pour(line, 'x', 100 * MB)).toBeLessThan(10 * MB)
  })

  it('on fifty silent lines keeps nobody else waiting', async () => {
    const { port, taken } = await aReceiver()
    await using silent = new AsyncDisposableStack()
    for (let n = 0; n < 50; n += 1)
      silent.use(await aConversation(port, { from: `127.0.1.${1 + Math.floor(n / 17)}` }))
    const began = performance.now()
    expect(await mailIn(port, ['b-1@in.example.test'], 'x')).toMatch(/^250 /)
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(taken).toHaveLength(1)
  })

  it('has twenty lines from one address, and all together a hundred', async () => {
    const { port } = await aReceiver({ limits: { connections: 30 } })
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
    const { port } = await aReceiver({ limits: { silentMs: 200 } })
    await using silent = await aConversation(port)
    await silent.ended
    const patient = await aReceiver({ limits: { connectionMs: 400 } })
    await using talker = await upToData(patient.port)
    const typing = setInterval(() => void talker.write('x'), 20)
    await talker.ended.finally(() => clearInterval(typing))
  })
})
