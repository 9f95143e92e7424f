import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedAfterEach } from '../../test/closing.ts'
import { sendOne as send } from '../../test/simulators/a-mail.ts'
import { RIGHT_NAME, TEST_AUTHORITY, WRONG_NAME } from '../../test/simulators/certificates.ts'
import {
  type SmtpSimulator,
  type SmtpSimulatorOptions,
  startSmtpSimulator,
} from '../../test/simulators/smtp.ts'
import { anSmtpProvider } from '../../test/simulators/smtp-client.ts'
import { type Script, startScriptedRelay } from '../../test/simulators/smtp-script.ts'
import type { Provider } from '../provider.ts'
import { createSmtpRelay, type SmtpRelayOptions } from '../smtp.ts'

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, TEST_AUTHORITY]))
afterAll(() => setDefaultCACertificates(trusted))

const opened = closedAfterEach()
const aRelay = async (options: SmtpSimulatorOptions = {}): Promise<SmtpSimulator> =>
  opened(await startSmtpSimulator(options))
const aProvider = (url: URL, options: Partial<SmtpRelayOptions> = {}): Provider =>
  opened(createSmtpRelay({ url, ...options }))
const scripted = async (script: Script) => opened(await startScriptedRelay(script))

/** As if the relay were on another machine. */
const FAR_AWAY = { mayStayPlain: () => false }
const AUTH = { user: 'relay user', pass: 'p@ss/wörd' }

describe('the password', () => {
  it.each([
    ['starttls', 'PLAIN'],
    ['starttls', 'LOGIN'],
    ['implicit', 'PLAIN'],
    ['implicit', 'LOGIN'],
  ] as const)('opens the relay over TLS (%s, %s)', async (tls, signIn) => {
    const relay = await aRelay({ tls, certificate: RIGHT_NAME, auth: AUTH, signIn: [signIn] })
    expect(await send(aProvider(relay.url, FAR_AWAY))).toMatchObject({ kind: 'accepted' })
    expect(relay.ledger).toMatchObject([{ secure: true, user: AUTH.user }])
  })

  it('may be long', async () => {
    const relay = await aRelay({ auth: { user: 'ann', pass: 'x'.repeat(1000) } })
    expect(await send(aProvider(relay.url))).toMatchObject({ kind: 'accepted' })
  })

  it('keeps the mail for later when it is wrong, and is never shown', async () => {
    const relay = await aRelay({ tls: 'starttls', auth: AUTH })
    const url = new URL(relay.url)
    url.password = 'wrong-secret'
    const outcome = await send(aProvider(url))
    expect(outcome).toMatchObject({ kind: 'try-later', reason: expect.stringContaining('535') })
    expect(outcome).toMatchObject({ about: 'account' })
    expect(JSON.stringify(outcome)).not.toContain('wrong-secret')
  })

  it('is blanked in the words of a relay that repeats it', async () => {
    const relay = await scripted({
      EHLO: '250-script\r\n250 AUTH PLAIN',
      AUTH: ({ line }) => `535 you said ${line}, which is ${AUTH.pass}`,
    })
    const auth = { user: AUTH.user, password: AUTH.pass }
    const provider = opened(anSmtpProvider(relay.port, { auth }))
    const words = await provider.check(new AbortController().signal)
    expect(words).toContain('535 you said AUTH PLAIN …, which is …')
  })

  it.each([
    ['a self-signed certificate', { tls: 'starttls' }],
    ['a certificate for another name', { tls: 'starttls', certificate: WRONG_NAME }],
    ['STARTTLS stripped', { tls: 'none' }],
    ['a self-signed certificate on the TLS port', { tls: 'implicit' }],
    ['another name on the TLS port', { tls: 'implicit', certificate: WRONG_NAME }],
  ] as const)('stays here in face of %s', async (_name, options) => {
    const relay = await aRelay({ ...options, auth: AUTH })
    const provider = aProvider(relay.url, FAR_AWAY)
    expect(await send(provider)).toMatchObject({ kind: 'try-later', about: 'account' })
    expect(await provider.check(new AbortController().signal)).toEqual(expect.any(String))
    expect(relay.commands.filter((line) => /^(AUTH|MAIL)/i.test(line))).toEqual([])
    expect(relay.ledger).toHaveLength(0)
  })

  it.each(['250-injected\r\n250 AUTH PLAIN', '250-inject'])(
    'stays here when something in the clear follows the STARTTLS reply: %j',
    async (injected) => {
      const relay = await scripted({
        EHLO: '250-script\r\n250 STARTTLS',
        STARTTLS({ socket }) {
          socket.write(`220 go\r\n${injected}`)
          return null
        },
      })
      const auth = { user: AUTH.user, password: AUTH.pass }
      const provider = opened(anSmtpProvider(relay.port, { auth, rejectUnauthorized: false }))
      expect(await send(provider)).toMatchObject({ kind: 'try-later', about: 'account' })
      expect(relay.lines.map((line) => line.split(' ', 1)[0])).toEqual(['EHLO', 'STARTTLS'])
    },
  )

  it('is not given up because another relay has proven its name', async () => {
    const proven = await aRelay({ tls: 'starttls', certificate: RIGHT_NAME, auth: AUTH })
    expect(await send(aProvider(proven.url, FAR_AWAY))).toMatchObject({ kind: 'accepted' })
    const other = await aRelay({ tls: 'starttls', certificate: WRONG_NAME, auth: AUTH })
    expect(await send(aProvider(other.url, FAR_AWAY))).toMatchObject({ kind: 'try-later' })
  })

  it('may go in the clear, or under a home-made certificate, on this machine', async () => {
    for (const tls of ['none', 'starttls'] as const) {
      const relay = await aRelay({ tls, auth: AUTH })
      expect(await send(aProvider(relay.url))).toMatchObject({ kind: 'accepted' })
    }
  })
})

describe('a check', () => {
  const signal = new AbortController().signal

  it('goes as far as signing in, and leaves politely', async () => {
    const relay = await aRelay({ tls: 'starttls', certificate: RIGHT_NAME, auth: AUTH })
    expect(await aProvider(relay.url, FAR_AWAY).check(signal)).toBeNull()
    expect(relay.commands.map((line) => line.split(' ', 1)[0])).toEqual([
      'EHLO',
      'STARTTLS',
      'EHLO',
      'AUTH',
      'NOOP',
      'QUIT',
    ])
  })

  it('tells in words what is wrong', async () => {
    const relay = await aRelay({ auth: AUTH })
    const url = new URL(relay.url)
    url.password = 'wrong-secret'
    expect(await aProvider(url).check(signal)).toBe(
      'The relay refused the sign-in: 535 Authentication credentials invalid',
    )
    expect(await aProvider(new URL('smtp://127.0.0.1:1')).check(signal)).toContain('127.0.0.1')
    const open = await aRelay()
    open.url.username = 'somebody'
    expect(await aProvider(open.url).check(signal)).toBe('The relay offers no sign-in on this connection')
  })

  it('can be stopped', async () => {
    const relay = await scripted({ NOOP: null })
    const provider = opened(anSmtpProvider(relay.port))
    expect(await provider.check(AbortSignal.timeout(100))).toEqual(expect.any(String))
    expect(await provider.check(AbortSignal.abort())).toEqual(expect.any(String))
  })
})
