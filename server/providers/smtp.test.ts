import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aMail } from '../test/simulators/a-mail.ts'
import { RIGHT_NAME, TEST_AUTHORITY, WRONG_NAME } from '../test/simulators/certificates.ts'
import {
  type SmtpFault,
  type SmtpSimulator,
  type SmtpSimulatorOptions,
  startSmtpSimulator,
} from '../test/simulators/smtp.ts'
import type { Outcome, OutgoingMail, Provider } from './provider.ts'
import { createSmtpRelay, type SmtpRelayOptions } from './smtp.ts'

const open: { close(): Promise<void> }[] = []
const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, TEST_AUTHORITY]))
afterAll(() => setDefaultCACertificates(trusted))
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close()
})

async function aRelay(options: SmtpSimulatorOptions = {}): Promise<SmtpSimulator> {
  const relay = await startSmtpSimulator(options)
  open.push(relay)
  return relay
}

function aProvider(url: URL, options: Partial<SmtpRelayOptions> = {}): Provider {
  const provider = createSmtpRelay({ url, timeouts: { connectMs: 1000, silenceMs: 300 }, ...options })
  open.push(provider)
  return provider
}

async function send(provider: Provider, mail: OutgoingMail = aMail()): Promise<Outcome> {
  const [outcome] = await provider.send([mail], AbortSignal.timeout(10_000))
  if (!outcome) throw new Error('no outcome')
  return outcome
}

/** As if the relay were on another machine. */
const FAR_AWAY = { mayStayPlain: () => false }
const AUTH = { user: 'relay user', pass: 'p@ss/wörd' }

describe('the message', () => {
  it('arrives with our Message-ID, a date, both bodies and nothing else in its head', async () => {
    const relay = await aRelay()
    const now = () => new Date('2026-05-04T03:02:01Z')
    const outcome = await send(
      aProvider(relay.url, { now }),
      aMail({ subject: 'Grüße', replyTo: 'r@x.test' }),
    )
    expect(outcome).toEqual({ kind: 'accepted', id: '250 OK: queued as 1' })
    const [taken] = relay.ledger
    expect(taken).toMatchObject({ from: 'mail@postrider.localhost', to: ['ann@x.test'] })
    expect(taken?.raw).toContain('314159')
    const headers = new Map(taken?.headers)
    expect([...headers.keys()].sort()).toEqual(
      [
        'Auto-Submitted',
        'Content-Type',
        'Date',
        'From',
        'MIME-Version',
        'Message-ID',
        'Reply-To',
        'Subject',
        'To',
      ].sort(),
    )
    expect(headers.get('Message-ID')).toBe('<1@postrider.localhost>')
    expect(headers.get('Date')).toBe('Mon, 04 May 2026 03:02:01 +0000')
    expect(headers.get('From')).toBe('Postrider <mail@postrider.localhost>')
  })

  it('has each header once, whatever the subject and the name look like', async () => {
    const relay = await aRelay()
    const provider = aProvider(relay.url)
    const nasty = [
      '=?utf-8?Q?a=0D=0ABcc:_eve@x.test?=',
      'a'.repeat(2000),
      '"; <eve@x.test>, b',
      'Bcc: eve@x.test',
      '🎺'.repeat(300),
    ]
    for (const text of nasty)
      expect(
        await send(provider, aMail({ subject: text, from: { name: text, address: 'mail@x.test' } })),
      ).toMatchObject({ kind: 'accepted' })
    expect(relay.ledger).toHaveLength(nasty.length)
    for (const { headers, to } of relay.ledger) {
      expect(to).toEqual(['ann@x.test'])
      expect(headers.map(([name]) => name).sort()).toEqual(
        [
          'Auto-Submitted',
          'Content-Type',
          'Date',
          'From',
          'MIME-Version',
          'Message-ID',
          'Subject',
          'To',
        ].sort(),
      )
    }
    expect(await send(provider, aMail({ subject: 'a\r\nBcc: eve@x.test' }))).toMatchObject({
      kind: 'rejected',
    })
    expect(relay.ledger).toHaveLength(nasty.length)
  })

  it('goes over one connection for many mails', async () => {
    const relay = await aRelay()
    const provider = aProvider(relay.url)
    for (const n of [1, 2, 3]) await send(provider, aMail({ messageId: `<${n}@x.test>` }))
    expect(relay.ledger).toHaveLength(3)
    expect(relay.commands.filter((line) => line.startsWith('EHLO'))).toHaveLength(1)
  })
})

describe('the outcome', () => {
  const refuse = (stage: SmtpFault['stage'], code: number): SmtpFault => ({
    stage,
    does: { code, text: `about ${stage}` },
  })

  it.each([
    ['4xx at the greeting', refuse('greeting', 421), 'try-later'],
    ['5xx at the greeting', refuse('greeting', 554), 'try-later'],
    ['4xx at MAIL', refuse('mail', 451), 'try-later'],
    ['4xx at RCPT', refuse('rcpt', 450), 'try-later'],
    ['4xx at DATA', refuse('data', 452), 'try-later'],
    ['4xx after the dot', refuse('dot', 451), 'try-later'],
    ['5xx at MAIL', refuse('mail', 550), 'rejected'],
    ['5xx at RCPT', refuse('rcpt', 550), 'rejected'],
    ['5xx at DATA', refuse('data', 554), 'rejected'],
    ['5xx after the dot', refuse('dot', 554), 'rejected'],
    ['503, a session in disorder', refuse('mail', 503), 'try-later'],
    ['530, a login that is missing', refuse('mail', 530), 'try-later'],
  ] as const)('of %s', async (_name, fault, kind) => {
    const relay = await aRelay()
    relay.failNext(fault)
    const outcome = await send(aProvider(relay.url))
    expect(outcome).toMatchObject({ kind })
    expect('reason' in outcome && outcome.reason).toContain(`about ${fault.stage}`)
    expect(relay.ledger).toHaveLength(0)
  })

  it.each(['greeting', 'mail', 'rcpt', 'data'] as const)(
    'of a cut or silence at %s is another try',
    async (stage) => {
      const relay = await aRelay()
      // Twice: the pool itself goes once more when nothing of the mail had left.
      relay.failNext({ stage, does: 'drop' }, { stage, does: 'drop' })
      expect(await send(aProvider(relay.url))).toMatchObject({ kind: 'try-later' })
      relay.failNext({ stage, does: 'silence' }, { stage, does: 'silence' })
      expect(await send(aProvider(relay.url))).toMatchObject({ kind: 'try-later' })
      expect(relay.ledger).toHaveLength(0)
    },
  )

  it.each([true, false])(
    'of a cut or silence after the dot is unknown (taken: %s)',
    async (afterAccepting) => {
      const relay = await aRelay()
      relay.failNext(
        { stage: 'dot', does: 'drop', afterAccepting },
        { stage: 'dot', does: 'silence', afterAccepting },
      )
      const provider = aProvider(relay.url)
      expect(await send(provider)).toMatchObject({ kind: 'unknown' })
      expect(await send(provider)).toMatchObject({ kind: 'unknown' })
      expect(relay.ledger).toHaveLength(afterAccepting ? 2 : 0)
      expect(await send(provider)).toMatchObject({ kind: 'accepted' })
    },
  )

  it.each(['smtp://127.0.0.1:1', 'smtp://nobody.invalid:25', 'smtps://127.0.0.1:1'])(
    'of nobody at %s is another try',
    async (url) => {
      expect(await send(aProvider(new URL(url)))).toMatchObject({ kind: 'try-later' })
    },
  )

  it('of a stop is unknown once it is on its way, another try before', async () => {
    const relay = await aRelay()
    relay.failNext({ stage: 'dot', does: 'silence' })
    const provider = aProvider(relay.url, { timeouts: { connectMs: 1000, silenceMs: 2000 } })
    expect(await provider.send([aMail()], AbortSignal.timeout(400))).toMatchObject([{ kind: 'unknown' }])
    expect(await provider.send([aMail()], AbortSignal.abort())).toMatchObject([{ kind: 'try-later' }])
  })

  it('of a batch is one for each mail, in order', async () => {
    const relay = await aRelay()
    const batch = ['a@x.test', 'not an address', 'c@x.test'].map((to) => aMail({ to }))
    const outcomes = await aProvider(relay.url).send(batch, AbortSignal.timeout(10_000))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'rejected', 'accepted'])
  })
})

describe('the password', () => {
  it('opens the relay over STARTTLS and over TLS', async () => {
    for (const tls of ['starttls', 'implicit'] as const) {
      const relay = await aRelay({ tls, certificate: RIGHT_NAME, auth: AUTH })
      expect(await send(aProvider(relay.url, FAR_AWAY))).toMatchObject({ kind: 'accepted' })
      expect(relay.ledger).toMatchObject([{ secure: true, user: AUTH.user }])
    }
  })

  it('keeps the mail for later when it is wrong, and is never shown', async () => {
    const relay = await aRelay({ tls: 'starttls', auth: AUTH })
    const url = new URL(relay.url)
    url.password = 'wrong-secret'
    const outcome = await send(aProvider(url))
    expect(outcome).toMatchObject({ kind: 'try-later', reason: expect.stringContaining('535') })
    expect(JSON.stringify(outcome)).not.toContain('wrong-secret')
  })

  it.each([
    ['a self-signed certificate', { tls: 'starttls' }],
    ['a certificate for another name', { tls: 'starttls', certificate: WRONG_NAME }],
    ['STARTTLS stripped', { tls: 'none' }],
    ['a self-signed certificate on the TLS port', { tls: 'implicit' }],
    ['another name on the TLS port', { tls: 'implicit', certificate: WRONG_NAME }],
  ] as const)('stays here in face of %s', async (_name, options) => {
    const relay = await aRelay({ ...options, auth: AUTH })
    expect(await send(aProvider(relay.url, FAR_AWAY))).toMatchObject({ kind: 'try-later' })
    expect(relay.commands.filter((line) => /^(AUTH|MAIL)/i.test(line))).toEqual([])
    expect(relay.ledger).toHaveLength(0)
  })

  it('may go in the clear, or under a home-made certificate, on this machine', async () => {
    for (const tls of ['none', 'starttls'] as const) {
      const relay = await aRelay({ tls, auth: AUTH })
      expect(await send(aProvider(relay.url))).toMatchObject({ kind: 'accepted' })
    }
  })
})
