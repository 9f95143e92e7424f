import { afterEach, describe, expect, it } from 'vitest'
import { UNSTOPPED } from '../test/simulators/a-mail.ts'
import {
  type SendgridSimulator,
  type SendgridSimulatorOptions,
  startSendgridSimulator,
} from '../test/simulators/sendgrid.ts'
import { createSendgrid, type SendgridOptions } from './sendgrid.ts'

const FROM = 'mail@postrider.localhost'
const open: SendgridSimulator[] = []
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.close()
})

async function aProvider(account: SendgridSimulatorOptions = {}, options: Partial<SendgridOptions> = {}) {
  const simulator = await startSendgridSimulator(account)
  open.push(simulator)
  return createSendgrid({ apiKey: simulator.apiKey, baseUrl: simulator.url, ...options })
}
const answering = (status: number, message: string) => async () =>
  Response.json({ errors: [{ field: null, message }] }, { status })

describe('asked whether SendGrid would take mail', () => {
  it('has nothing against a key that may send, whatever else it may not', async () => {
    expect(await (await aProvider()).check(UNSTOPPED)).toBeNull()
    expect(await (await aProvider({ scopes: ['mail.send'] })).check(UNSTOPPED)).toBeNull()
    expect(open.flatMap(({ ledger }) => ledger)).toEqual([])
  })

  it('says why not', async () => {
    expect(await (await aProvider({ scopes: ['stats.read'] })).check(UNSTOPPED)).toBe(
      'This SendGrid key may not send mail',
    )
    const limited = await aProvider({}, { fetch: answering(429, 'too many requests SG.simulated_key') })
    expect(await limited.check(UNSTOPPED)).toBe('SendGrid answered 429: too many requests …')
    const away = await aProvider()
    await open[2]?.close()
    expect(await away.check(UNSTOPPED)).toBe('SendGrid cannot be reached (ECONNREFUSED)')
    expect(await (await aProvider({}, { apiKey: 'SG.a b' })).check(UNSTOPPED)).toContain('enter it again')
    const portal = await aProvider({}, { fetch: async () => new Response('<html>') })
    expect(await portal.check(UNSTOPPED)).toContain('does not know')
  })
})

describe('the verdict on a key and a sender', () => {
  const verdict = async (account: SendgridSimulatorOptions = {}, options: Partial<SendgridOptions> = {}) =>
    (await aProvider(account, options)).verify(FROM, UNSTOPPED)

  it.each([
    ['its domain is', {}],
    ['its address is', { domains: [], senders: [{ email: 'Mail@Postrider.localhost', verified: true }] }],
  ])('is good when %s verified', async (_, account) => {
    expect(await verdict(account)).toEqual({ isGood: true, note: null })
  })

  it.each([
    ['may not ask', { scopes: ['mail.send'] }],
    ['may not ask about domains', { scopes: ['mail.send', 'sender_verification.read'] }],
    ['knows only the domain above', { domains: [{ domain: 'localhost', valid: true }] }],
    [
      'has more senders than a page holds',
      {
        domains: [],
        senders: Array.from({ length: 200 }, (_, n) => ({ email: `a${n}@x.test`, verified: true })),
      },
    ],
  ])('is good with a note when the key %s', async (_, account) => {
    expect(await verdict(account)).toEqual({
      isGood: true,
      note: expect.stringContaining(`SendGrid did not say whether it sends from ${FROM}`),
    })
  })

  it.each([
    ['a wrong key', {}, { apiKey: 'SG.wrong' }, 'does not know this API key'],
    ['what is no key', {}, { apiKey: 'SG.\u2026' }, 'Please enter it again'],
    ['a key that may not send', { scopes: ['stats.read'] }, {}, 'Give it the permission "Mail Send"'],
    ['a sender that is not verified', { domains: [] }, {}, `SendGrid does not send from ${FROM} yet: verify`],
    ['another domain', { domains: [{ domain: 'rider.localhost', valid: true }] }, {}, 'verify this address'],
    [
      'a domain without its records',
      { domains: [{ domain: 'postrider.localhost', valid: false }] },
      {},
      'DNS records',
    ],
    [
      'an unconfirmed sender',
      { domains: [], senders: [{ email: FROM, verified: false }] },
      {},
      'follow the link',
    ],
    ['an account closed to us', {}, { fetch: answering(403, 'access forbidden') }, 'certain IP addresses'],
    ['too many questions', {}, { fetch: answering(429, 'too many requests') }, 'try again in a moment'],
    ['an outage', {}, { fetch: answering(500, 'sorry') }, 'try again in a moment'],
  ])('tells what to do about %s', async (_, account, options, words) => {
    const told = await verdict(account, options)
    expect(told).toEqual({ isGood: false, error: expect.stringContaining(words) })
    if (words.includes('moment')) expect(told).not.toMatchObject({ error: expect.stringContaining('key') })
  })

  it('tells that SendGrid is away, and never shows the key', async () => {
    const provider = await aProvider()
    await open[0]?.close()
    expect(await provider.verify(FROM, UNSTOPPED)).toEqual({
      isGood: false,
      error: 'SendGrid cannot be reached (ECONNREFUSED). Please try again in a moment.',
    })
    const echo = await verdict({}, { fetch: answering(418, 'You said SG.simulated_key') })
    expect(JSON.stringify(echo)).not.toContain('simulated_key')
  })
})
