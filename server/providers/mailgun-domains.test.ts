import { describe, expect, it } from 'vitest'
import { closedAfterEach } from '../test/closing.ts'
import { aCopy, aLetter, UNSTOPPED } from '../test/simulators/a-mail.ts'
import {
  type MailgunSimulator,
  type MailgunSimulatorOptions,
  startMailgunSimulator,
} from '../test/simulators/mailgun.ts'
import { createMailgun, type MailgunOptions } from './mailgun.ts'

const opened = closedAfterEach()
const aMailgun = async (options: MailgunSimulatorOptions = {}): Promise<MailgunSimulator> =>
  opened(await startMailgunSimulator({ domains: [], ...options }))

const US = 'https://api.mailgun.net/'
const EU = 'https://api.eu.mailgun.net/'
type Region = MailgunSimulator | ((url: URL) => Promise<Response>)

/** Mailgun's two hosts, played by simulators or by whoever answers instead. */
function regions(us: Region, eu: Region): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(String(input))
    const region = url.href.startsWith(US) ? us : url.href.startsWith(EU) ? eu : null
    if (!region) throw new Error(`no such host: ${url.host}`)
    return typeof region === 'function'
      ? region(url)
      : fetch(new URL(`${url.pathname}${url.search}`, region.url), init)
  }
}
const refused = async () => {
  throw Object.assign(new TypeError('fetch failed'), {
    cause: Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }),
  })
}
const answering = (status: number, body: object) => async () => Response.json(body, { status })

const connect = (options: Partial<MailgunOptions> & { apiKey?: string } = {}) =>
  createMailgun({ apiKey: 'key-simulated', baseUrl: null, ...options })
const from = (address: string) => aLetter({ from: { name: '', address } })
const pathsOf = (simulator: MailgunSimulator) => simulator.calls.map(({ path }) => path)

describe('finding the domain and region', () => {
  it('asks the EU only for what the US does not have', async () => {
    const us = await aMailgun({ domains: ['product.tld', 'other.tld'] })
    const eu = await aMailgun({ domains: ['produkt.tld'] })
    const provider = connect({ fetch: regions(us, eu) })
    expect(await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'accepted' },
    ])
    expect(eu.questions).toEqual([])
    expect(await provider.send(from('a@produkt.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'accepted' },
    ])
    expect([pathsOf(us), pathsOf(eu)]).toEqual([['/v3/product.tld/messages'], ['/v3/produkt.tld/messages']])
  })

  it('reads all pages of a long list', async () => {
    const domains = Array.from({ length: 250 }, (_, n) => `d${n}.tld`)
    const us = await aMailgun({ domains: [...domains, 'product.tld'], pageMax: 40 })
    const provider = connect({ fetch: regions(us, await aMailgun()) })
    expect(await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'accepted' },
    ])
    expect(us.questions).toHaveLength(7)
    expect(us.questions.at(-1)).toBe('GET /v4/domains?limit=100&skip=240')
  })

  it('remembers for ten minutes, and asks anew when Mailgun no longer knows the domain', async () => {
    let minutes = 0
    const us = await aMailgun({ domains: ['product.tld'] })
    const now = () => new Date(minutes * 60_000)
    const provider = connect({ fetch: regions(us, await aMailgun()), now })
    const sendAt = async (minute: number) => {
      minutes = minute
      await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)
      return us.questions.length
    }
    expect([await sendAt(0), await sendAt(9), await sendAt(11)]).toEqual([1, 1, 2])
    us.lieNext({ kind: 'answer', status: 404, message: 'Domain not found: product.tld', when: 'before' })
    expect([await sendAt(12), await sendAt(12), await sendAt(12)]).toEqual([2, 3, 3])
  })

  it('is not spoilt for others by one who stops waiting', async () => {
    const us = await aMailgun({ domains: ['product.tld'] })
    const slow: typeof fetch = async (input, init) => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      return regions(us, us)(input, init)
    }
    const provider = connect({ fetch: slow })
    const [hasty, patient] = await Promise.all([
      provider.send(from('a@product.tld'), [aCopy()], AbortSignal.timeout(30)),
      provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED),
    ])
    expect(hasty).toMatchObject([{ kind: 'try-later', about: 'mail' }])
    expect(patient).toMatchObject([{ kind: 'accepted' }])
    expect([us.questions.length, us.calls.length]).toEqual([1, 1])
  })

  it('waits for a region that is away, unless the other has what is needed', async () => {
    const us = await aMailgun({ domains: ['mg.product.tld'] })
    const provider = connect({ fetch: regions(us, refused) })
    expect(await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'accepted' },
    ])
    expect(await provider.send(from('a@stranger.tld'), [aCopy()], UNSTOPPED)).toEqual([
      {
        kind: 'try-later',
        reason: 'Mailgun cannot be reached (ECONNREFUSED)',
        afterMs: null,
        about: 'account',
      },
    ])
  })

  it('holds the mail, with what to do, when no domain fits', async () => {
    const us = await aMailgun({ domains: ['one.tld', 'two.tld'] })
    const provider = connect({ fetch: regions(us, await aMailgun()) })
    expect(await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'try-later', about: 'account', reason: expect.stringContaining('Add product.tld at Mailgun') },
    ])
    expect(us.calls).toEqual([])
  })

  it('finds where a key that may only send belongs, and sends nothing to find out', async () => {
    const sendingKey = { key: 'key-sending', domain: 'product.tld' }
    const eu = await aMailgun({ domains: ['product.tld'], sendingKey })
    const provider = connect({ apiKey: 'key-sending', fetch: regions(await aMailgun(), eu) })
    expect(await provider.check(UNSTOPPED)).toBeNull()
    expect(await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'accepted' },
    ])
    expect(await provider.check(UNSTOPPED)).toBeNull()
    expect(eu.ledger).toHaveLength(1)
  })

  it('is asked at the given address only, where one is given', async () => {
    const one = await aMailgun({ domains: ['product.tld'] })
    const asked: string[] = []
    const watching: typeof fetch = (input, init) => {
      asked.push(new URL(String(input)).host)
      return fetch(input, init)
    }
    await connect({ baseUrl: one.url, fetch: watching }).verify('a@elsewhere.tld', UNSTOPPED)
    expect(new Set(asked)).toEqual(new Set([one.url.host]))
  })
})

describe('asked whether a key and a sender serve', () => {
  const verify = async (options: Partial<MailgunOptions>, sender = 'a@product.tld') =>
    connect(options).verify(sender, UNSTOPPED)

  it('has nothing against a verified domain, and says by which other one mail leaves', async () => {
    const us = await aMailgun({ domains: ['product.tld', 'mg.other.tld'] })
    const fetch = regions(us, await aMailgun())
    expect(await verify({ fetch })).toEqual({ isGood: true, note: null })
    expect(await verify({ fetch }, 'a@other.tld')).toEqual({
      isGood: true,
      note: 'Mail from other.tld leaves by the Mailgun domain mg.other.tld.',
    })
    expect(us.ledger).toEqual([])
  })

  it.each([
    ['unverified', 'The domain product.tld is not verified at Mailgun (it is "unverified")'],
    ['disabled', 'Mailgun has disabled the domain product.tld'],
  ] as const)('says what to do about a domain that is %s', async (state, error) => {
    const us = await aMailgun({ domains: [{ name: 'product.tld', state }] })
    expect(await verify({ fetch: regions(us, await aMailgun()) })).toMatchObject({
      isGood: false,
      error: expect.stringContaining(error),
    })
  })

  it('warns of a sandbox', async () => {
    const us = await aMailgun({ domains: [{ name: 'sandbox1.mailgun.org', type: 'sandbox' }] })
    expect(await verify({ fetch: regions(us, await aMailgun()) })).toMatchObject({
      isGood: true,
      note: expect.stringContaining('sandbox1.mailgun.org is a sandbox domain'),
    })
  })

  it('tells a wrong key, a key that may only send, and a sender that is no address apart', async () => {
    const sendingKey = { key: 'key-sending', domain: 'product.tld' }
    const us = await aMailgun({ domains: ['product.tld', 'mg.other.tld'], sendingKey })
    const fetch = regions(us, await aMailgun())
    const wrong = { isGood: false, error: expect.stringContaining('Mailgun does not accept this API key.') }
    expect(await verify({ fetch, apiKey: 'key-wrong' })).toMatchObject(wrong)
    expect(await verify({ fetch, apiKey: 'key-sending' }, 'a@other.tld')).toMatchObject(wrong)
    expect(await verify({ fetch, apiKey: 'key-sending' })).toEqual({
      isGood: true,
      note: 'This key may only send, so Mailgun did not say whether product.tld is verified.',
    })
    expect(await verify({ fetch }, 'nobody@')).toMatchObject({ isGood: false })
    expect(us.ledger).toEqual([])
  })

  it.each([
    ['at its limit', answering(429, { message: 'limit exceeded, try again after 5 seconds' }), '429'],
    ['out of order', answering(500, { message: 'x' }), '500'],
    ['away', refused, 'cannot be reached (ECONNREFUSED)'],
    ['somebody else', answering(200, { hello: 1 }), 'in a way that Postrider does not know'],
  ])('does not take Mailgun being %s for a wrong key', async (_, region, words) => {
    const verdict = await verify({ fetch: regions(region, region) })
    expect(verdict).toMatchObject({ isGood: false, error: expect.stringContaining(words) })
    expect(verdict).toMatchObject({ error: expect.stringMatching(/Please try again in a moment\.$/) })
    const provider = connect({ fetch: regions(region, region), from: 'a@product.tld' })
    expect(await provider.check(UNSTOPPED)).toContain(words)
    expect(await provider.send(from('a@product.tld'), [aCopy()], UNSTOPPED)).toMatchObject([
      { kind: 'try-later', about: 'account', afterMs: words === '429' ? 5000 : null },
    ])
  })

  it('does not take a limit that meets the question about a sending key for a wrong key', async () => {
    const region = async (url: URL) =>
      url.pathname.startsWith('/v4/')
        ? Response.json({ message: 'Invalid private key' }, { status: 401 })
        : Response.json({ message: 'try again after 5 seconds' }, { status: 429 })
    expect(await verify({ fetch: regions(region, region) })).toMatchObject({
      error: expect.stringContaining('Mailgun answered 429'),
    })
  })

  it('never shows the key', async () => {
    const apiKey = 'key-secret'
    const basic = Buffer.from(`api:${apiKey}`).toString('base64')
    const region = answering(500, { message: `${apiKey} Basic ${basic}` })
    const verdict = await verify({ apiKey, fetch: regions(region, region) })
    expect(JSON.stringify(verdict)).not.toMatch(new RegExp(`${apiKey}|${basic}`))
  })
})
