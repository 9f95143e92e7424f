import { certificateUrl } from './sns-addresses.ts'

/** The visits that messages of Amazon SNS ask for: to fetch the certificate, and to confirm a subscription. */

type Visit = {
  /** For tests: takes the place of Amazon's host. The address that a message names must be Amazon's all the same. */
  baseUrl: URL | null
  fetch?: typeof globalThis.fetch
}

const TIMEOUT_MS = 10_000
/** A certificate has 2 KB, a confirmation less. */
const ANSWER_MAX = 64_000

async function visit(
  url: URL,
  { baseUrl, fetch = globalThis.fetch }: Visit,
): Promise<{ status: number; text: string }> {
  const there = baseUrl === null ? url : new URL(`${url.pathname}${url.search}`, baseUrl)
  const response = await fetch(there, {
    // Whoever could send us elsewhere from there must not.
    redirect: 'manual',
    headers: { 'user-agent': 'Postrider' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    // Leaving the loop ends the call.
    if (size > ANSWER_MAX) return { status: response.status, text: '' }
    chunks.push(chunk)
  }
  return { status: response.status, text: Buffer.concat(chunks).toString('utf8') }
}

/** Tells Amazon SNS that its messages are wanted; false when that did not work. */
export async function confirmSubscription(url: URL, options: Visit): Promise<boolean> {
  try {
    const { status } = await visit(url, options)
    return status >= 200 && status <= 299
  } catch {
    return false
  }
}

/** There is no certificate at this address, so that no message can have been signed with it. */
export class NoCertificate extends Error {
  override name = 'NoCertificate'
}

/** As PEM. Rejects with `NoCertificate`, or with whatever went wrong on the way. */
export type FetchCertificate = (url: URL) => Promise<string>

/** Amazon uses one certificate a region for months; more than a few at once are somebody's try. */
const KEPT_MAX = 16
/** Bad luck is not repeated for each of a thousand messages. */
const FAILURE_MS = 30_000

type StoreOptions = Visit & { now?: () => number }

/** Fetches each certificate once, however many messages ask for it at the same time. */
export function createCertificateStore({ now = Date.now, ...options }: StoreOptions): FetchCertificate {
  const kept = new Map<string, { certificate: Promise<string>; failedAt: number | null }>()

  function keep(url: URL): Promise<string> {
    const oldest = kept.keys().next().value
    if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    const entry: { certificate: Promise<string>; failedAt: number | null } = {
      certificate: fetchOne(url),
      failedAt: null,
    }
    entry.certificate.catch(() => {
      entry.failedAt = now()
    })
    kept.set(url.href, entry)
    return entry.certificate
  }

  async function fetchOne(url: URL): Promise<string> {
    if (certificateUrl(url.href) === null) throw new NoCertificate('Not an address of Amazon SNS')
    const { status, text } = await visit(url, options)
    if (status >= 500 || status === 429) throw new Error(`Amazon SNS answered ${status}`)
    if (status !== 200 || !text.includes('-----BEGIN CERTIFICATE-----'))
      throw new NoCertificate(`There is no certificate at ${url.href}`)
    return text
  }

  return (url) => {
    const known = kept.get(url.href)
    const isOver = known?.failedAt != null && now() - known.failedAt >= FAILURE_MS
    if (known && !isOver) return known.certificate
    kept.delete(url.href)
    return keep(url)
  }
}
