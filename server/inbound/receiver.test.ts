import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { aReceiver, upToData } from '../test/receiver.ts'
import { aConversation, mailIn } from '../test/smtp-conversation.ts'

describe('the receiver', () => {
  it('announces its limit, STARTTLS and no sign-in', async () => {
    await using receiver = await aReceiver()
    const { port } = receiver
    await using line = await aConversation(port)
    expect(await line.reply()).toBe('220 in.example.test ESMTP Postrider')
    const offers = await line.say('EHLO mx.example.test')
    expect(offers).toContain('SIZE 25000000')
    expect(offers).toContain('STARTTLS')
    expect(offers).not.toContain('AUTH')
    expect(await line.say('AUTH PLAIN AGEAYg==')).toMatch(/^500 /)
  })

  it('takes a mail from an ordinary client, over TLS', async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
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
    await using receiver = await aReceiver()
    const { port, taken } = receiver
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
    await using receiver = await aReceiver({ limits: { refusedPerConnection: 3 } })
    const { port } = receiver
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
    await using receiver = await aReceiver()
    const { port, taken } = receiver
    await using line = await aConversation(port)
    await line.reply()
    await line.say('EHLO mx.example.test')
    await line.say('MAIL FROM:<>')
    for (let n = 0; n < 100; n += 1)
      expect(await line.say(`RCPT TO:<b-${n}@in.example.test>`)).toMatch(/^250 /)
    expect(await line.say('RCPT TO:<b-100@in.example.test>')).toMatch(/^452 4\.5\.3 /)
    await line.say('DATA')
    expect(await line.say('x\r\n.')).toMatch(/^250 /)
    expect(taken).toEqual([{ from: '', raw: 'x\r\n', recipients: 100 }])
  })

  it('says 250 only when the mail is stored, and 451 when it cannot be', async () => {
    const { promise: storing, resolve: stored } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begins } = Promise.withResolvers<void>()
    const store = () => {
      begins()
      return storing
    }
    await using receiver = await aReceiver({ store })
    const { port } = receiver
    let answer = ''
    const sent = mailIn(port, ['b-1@in.example.test'], 'x').then((reply) => (answer = reply))
    await begun
    // Whoever comes later is answered, and it is not.
    await using other = await aConversation(port)
    await other.reply()
    expect(await other.say('NOOP')).toMatch(/^250 /)
    expect(answer).toBe('')
    stored()
    expect(await sent).toMatch(/^250 /)

    await using away = await aReceiver({ store: () => Promise.reject(new Error('no disk')) })
    expect(await mailIn(away.port, ['b-1@in.example.test'], 'x')).toBe(
      '451 4.3.0 This mail cannot be stored now, please try again later',
    )
    expect(away.taken).toEqual([])
  })

  it('drops a mail whose sender leaves in the middle of it', async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
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
      await using receiver = await aReceiver()
      const { port, taken } = receiver
      for (const name of ['b-1', 'inbox-1']) {
        await using line = await upToData(port, `${name}@in.example.test`)
        expect(await line.say(`first${end}${SMUGGLED}\r\n.`)).toMatch(/^250 /)
        expect(await line.say('NOOP')).toMatch(/^250 /)
        expect(taken).toHaveLength(1)
        expect(taken.pop()?.raw).toBe(`first${end}${SMUGGLED}\r\n`)
      }
    },
  )

  it('however its bytes are cut into pieces', async () => {
    await using receiver = await aReceiver()
    const { port, taken } = receiver
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
    await using receiver = await aReceiver()
    const { port, taken } = receiver
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
