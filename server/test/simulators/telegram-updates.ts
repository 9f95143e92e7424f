import { setTimeout as sleep } from 'node:timers/promises'
import type { Arguments } from './telegram-arguments.ts'
import { badRequest, Refusal } from './telegram-refusal.ts'

type Update = { update_id: number; [kind: string]: unknown }

/** How updates are brought when Telegram is not at its best. */
export type Misdelivery = {
  /** Each is brought so often, under the same id. */
  times?: number
  /** In no order, not even that of their ids. */
  isShuffled?: boolean
}

/** `isOwed`: it is brought in any case, even when the bot has confirmed its id already. */
type Entry = { update: Update; chatId: number; isOwed: boolean; isUnderWay: boolean; failures: number }
type Webhook = Arguments<'setWebhook'>
export type WebhookPost = { updateId: number; status: number | null }
export type Updates = ReturnType<typeof createUpdates>

/** Telegram holds a long poll no longer than this, whatever it is asked for. */
const POLL_MAX_SECONDS = 50
const PORTS = ['', '80', '88', '443', '8443']
const POST_TIMEOUT_MS = 60_000
const REPEAT_MAX_MS = 5_000
const EPOCH_SECONDS = 1_000_000_000
/** These come only to who asks for them by name. */
const NOT_BY_DEFAULT = ['chat_member', 'message_reaction', 'message_reaction_count']

type UpdatesOptions = {
  now: () => number
  random: () => number
  /** Where the posts go in truth: an application in a test has a public address that leads nowhere. */
  webhookTo: URL | null
  /** After a failed post it waits so long at first. */
  repeatMs: number
}

/** What the bot has yet to be told, and the two ways of telling it. */
export function createUpdates({ now, random, webhookTo, repeatMs }: UpdatesOptions) {
  let queue: Entry[] = []
  // Higher at every start: a bot that has outlived one simulator takes the ids of the next for new ones.
  let nextId = Math.floor(Date.now() / 1000) - EPOCH_SECONDS
  let misdelivery: Misdelivery = {}
  let areIdsRestarted = false
  let allowed: readonly string[] = []
  let webhook: Webhook | null = null
  let lastError: { date: number; message: string } | null = null
  let waiting: { wake(): void; end(refusal: Refusal): void } | null = null
  const posts: WebhookPost[] = []
  const closing = new AbortController()

  const isAllowed = (kind: string) =>
    allowed.length === 0 ? !NOT_BY_DEFAULT.includes(kind) : allowed.includes(kind)

  function push(kind: string, content: unknown, chatId: number): number | null {
    if (!isAllowed(kind)) return null
    const { times = 1, isShuffled = false } = misdelivery
    const isOwed = times > 1 || isShuffled || areIdsRestarted
    const update = { update_id: nextId, [kind]: content }
    nextId += 1
    for (let copy = 0; copy < times; copy += 1)
      queue.push({ update, chatId, isOwed, isUnderWay: false, failures: 0 })
    // All that is done in one turn of the event loop comes in one answer.
    queueMicrotask(() => waiting?.wake())
    bring()
    return update.update_id
  }

  const isOpen = (offset: number) => (entry: Entry) => entry.isOwed || entry.update.update_id >= offset

  function take(offset: number, limit: number): Update[] {
    const open = queue.filter(isOpen(offset))
    const isHonest = !misdelivery.isShuffled && (misdelivery.times ?? 1) === 1
    // Some copies come in one answer, some in the next.
    const some = isHonest ? open : open.filter(() => random() < 0.5)
    const chosen = some.length > 0 ? some : open
    const batch = (misdelivery.isShuffled ? shuffled(chosen, random) : chosen).slice(0, limit)
    for (const entry of batch) entry.isOwed = false
    return batch.map(({ update }) => update)
  }

  function confirm(offset: number | undefined): number {
    if (offset === undefined) return Number.NEGATIVE_INFINITY
    if (offset < 0) {
      queue = queue.slice(offset)
      return Number.NEGATIVE_INFINITY
    }
    queue = queue.filter(isOpen(offset))
    return offset
  }

  async function poll(args: Arguments<'getUpdates'>, gone: AbortSignal): Promise<Update[]> {
    if (webhook)
      throw conflict(
        "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    waiting?.end(
      conflict('terminated by other getUpdates request; make sure that only one bot instance is running'),
    )
    if (args.allowed_updates) allowed = args.allowed_updates
    const offset = confirm(args.offset)
    const ready = take(offset, args.limit)
    if (ready.length > 0 || args.timeout === 0) return ready
    return new Promise<Update[]>((resolve, reject) => {
      const leave = (act: () => void) => {
        clearTimeout(timer)
        if (waiting === self) waiting = null
        act()
      }
      const wake = () => leave(() => resolve(gone.aborted ? [] : take(offset, args.limit)))
      const self = { wake, end: (refusal: Refusal) => leave(() => reject(refusal)) }
      const timer = setTimeout(wake, Math.min(args.timeout, POLL_MAX_SECONDS) * 1000)
      // What is brought to somebody who has hung up would be lost where it comes once.
      gone.addEventListener('abort', () => leave(() => resolve([])), { once: true })
      waiting = self
    })
  }

  function setWebhook(args: Webhook): true {
    if (args.drop_pending_updates) queue = []
    if (args.url === '') return deleteWebhook({})
    checkAddress(args.url)
    waiting?.end(conflict('terminated by setWebhook request'))
    if (args.allowed_updates) allowed = args.allowed_updates
    webhook = args
    lastError = null
    bring()
    return true
  }

  function deleteWebhook(args: Arguments<'deleteWebhook'>): true {
    webhook = null
    if (args.drop_pending_updates) queue = []
    return true
  }

  /** Chats do not wait for each other, but what comes from one chat comes one after the other. */
  function bring(): void {
    if (!webhook || closing.signal.aborted) return
    const busy = new Set(queue.filter(({ isUnderWay }) => isUnderWay).map(({ chatId }) => chatId))
    for (const entry of misdelivery.isShuffled ? shuffled(queue, random) : [...queue]) {
      if (entry.isUnderWay || (busy.has(entry.chatId) && !misdelivery.isShuffled)) continue
      busy.add(entry.chatId)
      entry.isUnderWay = true
      void bringOne(entry, webhook)
    }
  }

  async function bringOne(entry: Entry, to: Webhook): Promise<void> {
    const status = await post(entry.update, to)
    posts.push({ updateId: entry.update.update_id, status })
    if (status !== null && status >= 200 && status < 300) {
      queue = queue.filter((other) => other !== entry)
    } else {
      entry.failures += 1
      lastError = {
        date: Math.floor(now() / 1000),
        message: status === null ? 'Connection failed' : `Wrong response from the webhook: ${status}`,
      }
      const wait = Math.min(REPEAT_MAX_MS, repeatMs * 2 ** (entry.failures - 1))
      await sleep(wait, undefined, { signal: closing.signal }).catch(() => {})
    }
    entry.isUnderWay = false
    bring()
  }

  async function post(update: Update, { url, secret_token: secret }: Webhook): Promise<number | null> {
    const wished = new URL(url)
    const target = webhookTo ? new URL(`${wished.pathname}${wished.search}`, webhookTo) : wished
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret }),
        },
        body: JSON.stringify(update),
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(POST_TIMEOUT_MS)]),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }

  return {
    push,
    poll,
    setWebhook,
    deleteWebhook,
    posts,
    info: () => ({
      url: webhook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: queue.length,
      ...(lastError ? { last_error_date: lastError.date, last_error_message: lastError.message } : {}),
      ...(webhook ? { max_connections: webhook.max_connections } : {}),
      ...(allowed.length > 0 ? { allowed_updates: allowed } : {}),
    }),
    misdeliver: (next: Misdelivery) => {
      misdelivery = next
    },
    /** As after a week without an update: the next id is any. */
    restartIds() {
      nextId = 1 + Math.floor(random() * 1_000_000)
      areIdsRestarted = true
    },
    close: () => closing.abort(),
  }
}

const conflict = (why: string): Refusal => new Refusal(409, `Conflict: ${why}`)

/** https at the ports that Telegram calls; plain http on this machine, as an own Bot API server allows it. */
function checkAddress(text: string): void {
  const url = URL.parse(text)
  if (!url) throw badRequest('bad webhook: invalid webhook URL specified')
  if (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) return
  if (url.protocol !== 'https:') throw badRequest('bad webhook: An HTTPS URL must be provided for webhook')
  if (!PORTS.includes(url.port))
    throw badRequest('bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443')
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const rest = [...list]
  const result: T[] = []
  while (rest.length > 0) result.push(...rest.splice(Math.floor(random() * rest.length), 1))
  return result
}
