import type { HttpApi } from './http-api.ts'
import { discover, type Finding, senderDomain } from './mailgun-domains.ts'

/** Remembers by which domain and region a sender's mail leaves, so that it is not asked before every call. */
type KnownPlaces = {
  /** From memory where possible; null when `signal` ended before there was an answer. */
  find(from: string, signal: AbortSignal): Promise<Finding | null>
  /** Asks anew. */
  ask(from: string, signal: AbortSignal): Promise<Finding>
  /** Something did not fit any more: the next one asks. */
  forget(): void
  /** Gives up what is under way. */
  close(): void
}

/** A domain that was added or taken away is noticed after this at the latest. */
const REMEMBERED_MS = 10 * 60_000
/** Senders of one account; past this, memory begins anew. */
const SENDERS_MAX = 100

export function createKnownPlaces(hosts: readonly HttpApi[], now: () => Date): KnownPlaces {
  const known = new Map<string, { finding: Finding; until: number }>()
  const underWay = new Map<string, Promise<Finding>>()
  const closing = new AbortController()

  async function ask(from: string, signal: AbortSignal): Promise<Finding> {
    const finding = await discover(hosts, from, { signal, now: now() })
    if (known.size >= SENDERS_MAX) known.clear()
    // What a person must mend is asked about every time: it counts from the moment that it is mended.
    if (finding.kind === 'found')
      known.set(senderDomain(from), { finding, until: now().getTime() + REMEMBERED_MS })
    return finding
  }

  /** Many calls begin at once and ask once. Whoever stops waiting does not stop it for the others. */
  function askTogether(from: string): Promise<Finding> {
    const sender = senderDomain(from)
    const asked = underWay.get(sender)
    if (asked) return asked
    const asking = ask(from, closing.signal).finally(() => underWay.delete(sender))
    underWay.set(sender, asking)
    return asking
  }

  return {
    ask,
    async find(from, signal) {
      if (signal.aborted) return null
      const memory = known.get(senderDomain(from))
      if (memory && now().getTime() < memory.until) return memory.finding
      return unlessStopped(askTogether(from), signal)
    },
    forget: () => known.clear(),
    close: () => closing.abort(),
  }
}

async function unlessStopped<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  const { promise: stopped, resolve } = Promise.withResolvers<null>()
  const stop = () => resolve(null)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([promise, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
