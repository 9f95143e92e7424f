import { AwsV4Signer } from 'aws4fetch'
import { createHttpApi, type HttpAnswer, identityOf, STOPPED } from './http-api.ts'
import type { Copy, Letter, Outcome, Provider } from './provider.ts'
import { isThrottled, type Reading, readBulkAnswer, readSingleAnswer } from './ses-answers.ts'
import { type SesLetter, sesLetter } from './ses-mail.ts'
import { createSendRate } from './ses-rate.ts'
import { isSesRegion } from './ses-regions.ts'
import { accountIn, objectionOf, verdictOf } from './ses-verdict.ts'
import { sendTheRest } from './sound-copies.ts'

export { isSesRegion } from './ses-regions.ts'

export type SesOptions = {
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** Null is Amazon's own, in the region. */
  baseUrl: URL | null
  fetch?: typeof globalThis.fetch
  now?: () => Date
  timeoutMs?: number
}

const BATCH_MAX = 50
/**
 * One bad recipient lets Amazon refuse all of a call. Such a call is taken apart until the bad one stands alone, which
 * takes a dozen calls for one of fifty. With very many bad ones the rest is left for the next try.
 */
const DIVISIONS_MAX = 12
const PATHS = { many: 'v2/email/outbound-bulk-emails', one: 'v2/email/outbound-emails' }
const ACCOUNT = 'v2/email/account'

/** What the groups of one call to `send` have in common. */
type Errand = {
  letter: SesLetter
  from: string
  signal: AbortSignal
  mayBegin: () => boolean
  divisionsLeft: number
  calls: number
  /** Once Amazon has told us to wait we do not call again. */
  told: Outcome | null
}

/** Amazon SES by its API, version 2. It knows no repetition: a doubtful call stays in doubt. */
export function createSes(options: SesOptions): Provider {
  const { accessKeyId, secretAccessKey, region, now = () => new Date() } = options
  if (!isSesRegion(region)) throw new Error('Amazon SES has no such region')
  const api = createHttpApi({
    ...options,
    vendor: 'Amazon SES',
    baseUrl: options.baseUrl ?? new URL(`https://email.${region}.amazonaws.com`),
    headers: {},
    secrets: [secretAccessKey],
    fetch: signing(options),
  })
  const rate = createSendRate({ ask: learnRate, now })

  async function askAccount(signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await api.ask(ACCOUNT, {}, signal)
    const account = accountIn(answer)
    if (account) rate.set(account.SendQuota.MaxSendRate)
    return answer
  }

  /** What it cannot learn is guessed; the sending call tells what is wrong. */
  async function learnRate(): Promise<void> {
    await askAccount(AbortSignal.timeout(5_000)).catch(() => {})
  }

  async function call(copies: readonly Copy[], { letter, from, signal }: Errand): Promise<Reading> {
    const [first] = copies
    const single = letter.isTooLongForMany ? first : undefined
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: single ? letter.forOne(single) : letter.forMany(copies),
    }
    try {
      const answer = await api.ask(single ? PATHS.one : PATHS.many, request, signal)
      return single
        ? readSingleAnswer(answer, { api, from })
        : readBulkAnswer(answer, copies.length, { api, from })
    } catch (error) {
      const outcome = api.failed(error)
      return { outcomes: copies.map(() => outcome), isOfCall: false }
    }
  }

  async function sendGroup(copies: readonly Copy[], errand: Errand): Promise<Outcome[]> {
    const all = (outcome: Outcome) => copies.map(() => outcome)
    if (errand.told) return all(errand.told)
    if (errand.signal.aborted) return all(STOPPED)
    if (!errand.mayBegin()) return all({ kind: 'not-begun' })
    errand.calls += 1
    const isFirst = errand.calls === 1
    const { outcomes, isOfCall } = await call(copies, errand)
    const isTooFast = outcomes.some(isThrottled)
    // Silence and refusals say nothing about the rate.
    if (isTooFast || outcomes.some(({ kind }) => kind === 'accepted'))
      rate.note({ isThrottled: isTooFast, isFirst })
    errand.told = outcomes.find((one) => one.kind === 'try-later' && one.about === 'account') ?? null
    const [whole] = isOfCall ? outcomes : []
    if (whole?.kind !== 'rejected' || copies.length === 1) return outcomes
    // Nobody got anything by it, and it is not known who is to blame.
    if (errand.divisionsLeft === 0) return all({ ...whole, kind: 'try-later', afterMs: null, about: 'mail' })
    errand.divisionsLeft -= 1
    const half = Math.ceil(copies.length / 2)
    const left = await sendGroup(copies.slice(0, half), errand)
    return [...left, ...(await sendGroup(copies.slice(half), errand))]
  }

  async function sendInGroups(copies: readonly Copy[], errand: Errand): Promise<Outcome[]> {
    await rate.learn()
    const outcomes: Outcome[] = []
    while (outcomes.length < copies.length) {
      const size = errand.letter.isTooLongForMany ? 1 : rate.callMax()
      const group = copies.slice(outcomes.length, outcomes.length + size)
      outcomes.push(...(await sendGroup(group, errand)))
    }
    return outcomes
  }

  /** A copy that Amazon would refuse anyway is answered here, before it can take others along. */
  async function sendFitting(
    letter: Letter,
    copies: readonly Copy[],
    rest: Pick<Errand, 'signal' | 'mayBegin'>,
  ) {
    const composed = sesLetter(letter)
    const flaws = copies.map((copy) => composed.flawOf(copy))
    const fitting = copies.filter((_, at) => flaws[at] === null)
    const errand: Errand = {
      ...rest,
      letter: composed,
      from: letter.from.address,
      divisionsLeft: DIVISIONS_MAX,
      calls: 0,
      told: null,
    }
    const answers = (fitting.length > 0 ? await sendInGroups(fitting, errand) : []).values()
    return flaws.map((flaw): Outcome => {
      if (flaw !== null) return { kind: 'rejected', reason: flaw }
      return answers.next().value ?? { kind: 'unknown', reason: 'Amazon SES gave no outcome' }
    })
  }

  return {
    name: 'Amazon SES',
    batchMax: BATCH_MAX,
    copiesPerCall: rate.callMax,
    concurrency: 4,
    callsPerSecond: null,
    copiesPerSecond: rate.copiesPerSecond,
    // By key and region: what is in doubt in one region is not known in another.
    identity: identityOf('ses', `${accessKeyId} ${region}`),
    repeatableMs: 0,
    send: (letter, copies, signal, mayBegin = () => true) =>
      sendTheRest(letter, copies, (sound) => sendFitting(letter, sound, { signal, mayBegin })),
    check: (signal) => askAccount(signal).then((answer) => objectionOf(answer, api), api.unreachable),
    verify: (from, signal) =>
      verdictOf({ from, region, api, ask: (path) => api.ask(path, {}, signal) }).catch(api.undecided),
    async close() {},
  }
}

/** Signs each request on its way out: a signature holds for a few minutes, and for this one request. */
function signing({ accessKeyId, secretAccessKey, region, fetch, now }: SesOptions): typeof globalThis.fetch {
  const pass = fetch ?? globalThis.fetch
  // Derived keys are good for a day; only the newest is kept.
  let cache = new Map<string, ArrayBuffer>()
  return async (input, init) => {
    if (cache.size > 1) cache = new Map()
    const datetime = (now?.() ?? new Date()).toISOString().replace(/[:-]|\.\d{3}/g, '')
    const { headers } = await new AwsV4Signer({
      method: init?.method ?? 'GET',
      url: String(input),
      headers: init?.headers ?? {},
      body: init?.body ?? null,
      accessKeyId,
      secretAccessKey,
      service: 'ses',
      region,
      cache,
      datetime,
    }).sign()
    return pass(input, { ...init, headers })
  }
}
