import { describe, expect, it } from 'vitest'
import { closedAfterEach } from '../test/closing.ts'
import { aCopy, aLetter, sendOne as send } from '../test/simulators/a-mail.ts'
import { type SmtpSimulator, type SmtpSimulatorOptions, startSmtpSimulator } from '../test/simulators/smtp.ts'
import { anSmtpProvider } from '../test/simulators/smtp-client.ts'
import type { Provider } from './provider.ts'
import { createSmtpRelay, type SmtpRelayOptions } from './smtp.ts'

const opened = closedAfterEach()
const aRelay = async (options: SmtpSimulatorOptions = {}): Promise<SmtpSimulator> =>
  opened(await startSmtpSimulator(options))
const aProvider = (url: URL, options: Partial<SmtpRelayOptions> = {}): Provider =>
  opened(createSmtpRelay({ url, ...options }))

const HEADERS = [
  'Auto-Submitted',
  'Content-Type',
  'Date',
  'From',
  'MIME-Version',
  'Message-ID',
  'Subject',
  'To',
].sort()
const REJECTED = { kind: 'rejected' }
const AUTH = { user: 'relay user', pass: 'p@ss/wörd' }

describe('the message', () => {
  it('arrives with our Message-ID, a date, both bodies and nothing else in its head', async () => {
    const relay = await aRelay()
    const now = () => new Date('2026-05-04T03:02:01Z')
    const letter = aLetter({ subject: 'Grüße', replyTo: 'r@x.test' })
    const outcome = await send(aProvider(relay.url, { now }), letter)
    expect(outcome).toEqual({ kind: 'accepted', id: '250 OK: queued as 1' })
    const [taken] = relay.ledger
    expect(taken).toMatchObject({ from: 'mail@postrider.localhost', to: ['ann@x.test'] })
    expect(taken?.raw).toContain('314159')
    const headers = new Map(taken?.headers)
    expect([...headers.keys()].sort()).toEqual([...HEADERS, 'Reply-To'].sort())
    expect(headers.get('Message-ID')).toBe('<1@postrider.localhost>')
    expect(headers.get('Date')).toBe('Mon, 04 May 2026 03:02:01 +0000')
    expect(headers.get('From')).toBe('Postrider <mail@postrider.localhost>')
  })

  it('has each header once, whatever the subject and the names look like', async () => {
    const relay = await aRelay()
    const provider = aProvider(relay.url)
    const nasty = [
      '=?utf-8?Q?a=0D=0ABcc:_eve@x.test?=',
      'a'.repeat(2000),
      '"; <eve@x.test>, b',
      'Bcc: eve@x.test',
      '🎺'.repeat(300),
    ]
    for (const text of nasty) {
      const letter = aLetter({ subject: text, from: { name: text, address: 'mail@x.test' } })
      expect(
        await send(provider, letter, aCopy({ to: { name: text, address: 'ann@x.test' } })),
      ).toMatchObject({
        kind: 'accepted',
      })
    }
    expect(relay.ledger).toHaveLength(nasty.length)
    for (const { headers, to } of relay.ledger) {
      expect(to).toEqual(['ann@x.test'])
      expect(headers.map(([name]) => name).sort()).toEqual(HEADERS)
    }
    expect(await send(provider, aLetter({ subject: 'a\r\nBcc: eve@x.test' }))).toMatchObject(REJECTED)
    expect(relay.ledger).toHaveLength(nasty.length)
  })

  it('is one, whatever ends of messages its text pretends to hold', async () => {
    const relay = await aRelay()
    const provider = aProvider(relay.url, { connections: 1 })
    const smuggled = 'MAIL FROM:<eve@x.test>\r\nRCPT TO:<victim@x.test>\r\nDATA\r\nsmuggled'
    const ends = [
      '\n.\n',
      '\n.\r\n',
      '\r.\r',
      '\r\n.\n',
      '\r.\r\n',
      '\r\n.\r\n',
      '\r\n.\r',
      '\n.\r',
      '\0\n.\n',
    ]
    const outcomes = await Promise.all(
      ends.map((end) => {
        const text = `begin${end}${smuggled}${end}QUIT`
        return send(provider, aLetter({ text, html: text }))
      }),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(ends.map(() => 'accepted'))
    expect(relay.ledger.map(({ to }) => to)).toEqual(ends.map(() => ['ann@x.test']))
    for (const { raw } of relay.ledger) expect(raw.match(/smuggled/g)).toHaveLength(2)
    expect(relay.commands.filter((line) => /victim|eve@/.test(line))).toEqual([])
  })

  it('goes over one connection for many mails', async () => {
    const relay = await aRelay()
    const provider = aProvider(relay.url)
    for (const n of [1, 2, 3]) await send(provider, aLetter(), aCopy({ messageId: `<${n}@x.test>` }))
    expect(relay.ledger).toHaveLength(3)
    expect(relay.commands.filter((line) => line.startsWith('EHLO'))).toHaveLength(1)
  })
})

describe('a doubt', () => {
  it.each([true, false])('is all that a cut after the dot leaves (taken: %s)', async (afterAccepting) => {
    const relay = await aRelay()
    relay.failNext({ stage: 'dot', does: 'drop', afterAccepting })
    const provider = aProvider(relay.url)
    expect(await send(provider)).toMatchObject({ kind: 'unknown' })
    expect(relay.ledger).toHaveLength(afterAccepting ? 1 : 0)
    expect(await send(provider)).toMatchObject({ kind: 'accepted' })
  })

  it.each(['smtp://127.0.0.1:1', 'smtp://nobody.invalid:25', 'smtps://127.0.0.1:1'])(
    'is never left by nobody at %s',
    async (url) => {
      expect(await send(aProvider(new URL(url)))).toMatchObject({ kind: 'try-later', about: 'account' })
    },
  )

  it('is never left by a mail that was stopped before it began', async () => {
    const relay = await aRelay()
    const outcomes = await aProvider(relay.url).send(aLetter(), [aCopy()], AbortSignal.abort())
    expect(outcomes).toMatchObject([{ kind: 'try-later', reason: 'Stopped before sending' }])
    expect(relay.commands).toEqual([])
  })
})

describe('commands', () => {
  const EXPECTED = new Set(['EHLO', 'STARTTLS', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'RSET', 'NOOP', 'QUIT'])
  const INJECTIONS = [
    'ann@x.test>\r\nRCPT TO:<eve@x.test',
    'ann@x.test> SIZE=1\nVRFY root',
    'ann@x.test\r\nDATA\r\nhello\r\n.',
    '<ann@x.test>',
    'ann@x.test\0',
    'ann@x.test, eve@x.test',
    '"a\r\nHELP"@x.test',
    'ann@x.test\u0085HELP',
    'ann@x.test\u2028HELP',
    'not an address',
    'ann..b@x.test',
    'ann@x_y.test',
    '',
  ]

  it.each(INJECTIONS)('are not made of an address: %j', async (address) => {
    const relay = await aRelay({ tls: 'starttls', auth: AUTH })
    const provider = aProvider(relay.url)
    const signal = new AbortController().signal
    const from = { name: '', address }
    expect(await provider.send(aLetter(), [aCopy({ to: address })], signal)).toMatchObject([REJECTED])
    expect(await provider.send(aLetter({ from }), [aCopy()], signal)).toMatchObject([REJECTED])
    expect(await provider.send(aLetter({ replyTo: address }), [aCopy()], signal)).toMatchObject([REJECTED])
    expect(await send(provider)).toMatchObject({ kind: 'accepted' })
    await provider.close()
    expect(relay.ledger).toMatchObject([{ to: ['ann@x.test'] }])
    expect(relay.commands.filter((line) => !EXPECTED.has(line.split(' ', 1)[0] ?? ''))).toEqual([])
    expect(relay.commands.filter((line) => /^(MAIL|RCPT)/.test(line))).toEqual([
      'MAIL FROM:<mail@postrider.localhost>',
      'RCPT TO:<ann@x.test>',
    ])
  })

  it.each(['x\r\nMAIL FROM:<eve@x.test>', 'x y', '', '[::1', 'ü.test', '-x'])(
    'are not made of our own name: %j',
    (ehloName) => {
      expect(() => anSmtpProvider(25, { ehloName })).toThrow('EHLO')
    },
  )

  it('are not made of credentials', async () => {
    const auth = { user: 'ann\r\nNOOP', pass: 'x\r\nQUIT' }
    for (const signIn of ['PLAIN', 'LOGIN'] as const) {
      const relay = await aRelay({ auth, signIn: [signIn] })
      await send(aProvider(relay.url))
      expect(relay.commands.join('\n')).toContain(`AUTH ${signIn}`)
      expect(relay.commands.filter((line) => /^(NOOP|QUIT)/.test(line))).toEqual([])
    }
  })
})
