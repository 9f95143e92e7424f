import { setTimeout as sleep } from 'node:timers/promises'
import { mulberry32 } from '../faults/chance.ts'
import { reportOf, type SendgridEvent, type Signer } from './sendgrid-events.ts'

/** Where reports go, and how badly they behave on the way. */
export type SendgridWebhook = {
  url: URL
  /** The most events of one report. */
  batchMax?: number
  /** Every event comes twice. */
  duplicate?: boolean
  /** In any order, the same for the same seed. */
  shuffle?: boolean
  seed?: number
  /** The report of a mail is posted before the sending call is answered. */
  beforeReply?: boolean
  /** The first wait after a refused report; each further one is twice as long, up to ten times this. */
  retryMs?: number
}

/** One try to post a report; the status is null when nobody answered. */
export type SendgridPost = { status: number | null; events: number }

type SendgridPublisher = {
  posts: readonly SendgridPost[]
  /** Resolves when all of them were taken with a 2xx, or the publisher was closed. */
  publish(events: readonly SendgridEvent[], webhook: SendgridWebhook): Promise<void>
  close(): void
}

const BATCH_MAX = 500
const RETRY_MS = 100

export function createPublisher(signer: Signer, now: () => number): SendgridPublisher {
  const posts: SendgridPost[] = []
  const closing = new AbortController()

  async function post(
    events: readonly SendgridEvent[],
    { url, retryMs = RETRY_MS }: SendgridWebhook,
  ): Promise<void> {
    const body = reportOf(events)
    for (let wait = retryMs; !closing.signal.aborted; wait = Math.min(wait * 2, retryMs * 10)) {
      const status = await fetch(url, {
        method: 'POST',
        // Signed anew on each try: the time of a signature is that of its call.
        headers: signer.headersFor(body, now()),
        body: new Uint8Array(body),
        signal: closing.signal,
      }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        () => null,
      )
      posts.push({ status, events: events.length })
      if (status !== null && status >= 200 && status <= 299) return
      await sleep(wait, null, { signal: closing.signal }).catch(() => {})
    }
  }

  return {
    posts,
    async publish(events, webhook) {
      const { batchMax = BATCH_MAX, duplicate = false, shuffle = false, seed = 1 } = webhook
      const twice = duplicate ? [...events, ...events] : events
      const all = shuffle ? shuffled(twice, mulberry32(seed)) : twice
      for (let from = 0; from < all.length; from += batchMax)
        await post(all.slice(from, from + batchMax), webhook)
    },
    close: () => closing.abort(),
  }
}

function shuffled<T>(items: readonly T[], chance: () => number): T[] {
  return items
    .map((item) => ({ item, rank: chance() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}
