import { afterEach, describe, expect, it } from 'vitest'
import { UNSTOPPED } from '../test/simulators/a-mail.ts'
import { type SesSimulator, type SesSimulatorOptions, startSesSimulator } from '../test/simulators/ses.ts'
import { createSes, type SesOptions } from './ses.ts'

let ses: SesSimulator
afterEach(() => ses.close())

const FROM = 'mail@news.product.test'

async function provider(simulated: SesSimulatorOptions = {}, options: Partial<SesOptions> = {}) {
  ses = await startSesSimulator({ identities: { 'news.product.test': true }, ...simulated })
  return createSes({ ...ses, baseUrl: ses.url, ...options })
}
const verify = async (...[simulated, options]: Parameters<typeof provider>) =>
  (await provider(simulated, options)).verify(FROM, UNSTOPPED)
const check = async (...[simulated, options]: Parameters<typeof provider>) =>
  (await provider(simulated, options)).check(UNSTOPPED)
const good = { isGood: true, note: null }

describe('asked about an account, Amazon SES', () => {
  it.each([
    ['its domain', { 'news.product.test': true }],
    ['a domain above it', { 'product.test': true }],
    ['its address', { 'mail@news.product.test': true, 'news.product.test': false }],
  ])('finds it good where the sender is verified by %s', async (_, identities) => {
    expect(await verify({ identities })).toEqual(good)
    expect(ses.calls).toHaveLength(0)
  })

  it.each([
    ['unknown there', {}],
    ['not verified yet', { 'news.product.test': false }],
    ['somebody else', { 'else.test': true, 'other@news.product.test': true }],
  ])('does not find it good where the sender is %s', async (_, identities) => {
    expect(await verify({ identities })).toEqual({
      isGood: false,
      error:
        'The access key works, but neither mail@news.product.test nor news.product.test is verified in us-east-1. Verify one of them in the Amazon SES console of this region.',
    })
  })

  it('tells a wrong key from a wrong secret, and shows neither', async () => {
    const id = await verify({}, { accessKeyId: 'AKIAWRONG' })
    expect(id).toMatchObject({
      isGood: false,
      error: expect.stringContaining('does not know this access key ID'),
    })
    await ses.close()
    const secret = await verify({}, { secretAccessKey: 'wrong/secret' })
    expect(secret).toMatchObject({
      isGood: false,
      error: expect.stringContaining('The secret access key does not belong to this access key ID'),
    })
    expect(JSON.stringify([id, secret])).not.toMatch(/AKIAWRONG|wrong\/secret/)
  })

  it('says that the clock is wrong when it is', async () => {
    const now = () => new Date(Date.now() - 3_600_000)
    expect(await verify({}, { now })).toMatchObject({
      isGood: false,
      error: expect.stringContaining('the clock of this server is wrong'),
    })
  })

  it('finds a key good that may only send, and says what it does not know', async () => {
    expect(await verify({ sendingOnly: true })).toEqual({
      isGood: true,
      note: expect.stringMatching(/may only send.+ses:GetAccount.+did not say whether mail@news/),
    })
    expect(ses.calls).toHaveLength(0)
  })

  it('warns of the sandbox and of a review', async () => {
    expect(await verify({ isSandbox: true })).toEqual({
      isGood: true,
      note: expect.stringContaining('in the sandbox'),
    })
    await ses.close()
    expect(await verify({ enforcementStatus: 'PROBATION' })).toEqual({
      isGood: true,
      note: expect.stringContaining('under review'),
    })
  })

  it('finds an account bad that may not send now', async () => {
    expect(await verify({ isSendingEnabled: false })).toMatchObject({
      isGood: false,
      error: expect.stringContaining('Sending is paused'),
    })
    await ses.close()
    expect(await verify({ enforcementStatus: 'SHUTDOWN' })).toMatchObject({
      isGood: false,
      error: expect.stringContaining('suspended'),
    })
  })

  it.each([
    [429, 'TooManyRequestsException', 'Too many requests.'],
    [500, 'InternalServiceErrorException', 'Sorry.'],
    [503, '', ''],
  ])('is busy and not wrong when it answers %i', async (status, type, message) => {
    const fetch = async () =>
      Response.json(message ? { message } : {}, { status, headers: { 'x-amzn-errortype': type } })
    const verdict = await verify({}, { fetch })
    expect(verdict).toMatchObject({ isGood: false, error: expect.stringMatching(/try again in a moment\.$/) })
    expect(verdict).not.toMatchObject({ error: expect.stringMatching(/access key/) })
  })

  it('is away where nobody answers', async () => {
    const away = await provider()
    await ses.close()
    expect(await away.verify(FROM, UNSTOPPED)).toEqual({
      isGood: false,
      error: 'Amazon SES cannot be reached (ECONNREFUSED). Please try again in a moment.',
    })
    expect(await away.check(UNSTOPPED)).toBe('Amazon SES cannot be reached (ECONNREFUSED)')
  })

  it('does not make sense of an answer that is not its own', async () => {
    const fetch = async () => new Response('<html>Welcome</html>', { status: 200 })
    expect(await verify({}, { fetch })).toMatchObject({
      isGood: false,
      error: 'Amazon SES answered in a way that Postrider does not know.',
    })
  })

  it('has nothing against sending, or says what it has', async () => {
    expect(await check()).toBeNull()
    await ses.close()
    expect(await check({ sendingOnly: true })).toBeNull()
    await ses.close()
    expect(await check({ isSendingEnabled: false })).toContain('Sending is paused')
    await ses.close()
    expect(await check({}, { secretAccessKey: 'wrong' })).toBe(
      'Amazon SES answered 403: InvalidSignatureException',
    )
    expect(ses.ledger).toHaveLength(0)
  })
})
