import { setImmediate } from 'node:timers/promises'
import type { EventKind, ProviderEvent, WebhookCall, WebhookReading } from './events.ts'
import { asJson } from './json.ts'
import { providersWords } from './providers-words.ts'
import { judgeRefusal, softOf } from './refusal.ts'
import { sendgridFlaw } from './sendgrid-signature.ts'

/** Reads a call of SendGrid's event webhook; `publicKeys` are those that SendGrid shows for the account's webhooks. */
export async function readSendgridEvents(call: WebhookCall, publicKeys: string): Promise<WebhookReading> {
  const why = await sendgridFlaw(call, publicKeys)
  return why === null ? { kind: 'events', events: await eventsIn(call.body) } : { kind: 'forged', why }
}

/** Read at a stretch; the words of a bounce take a third of a millisecond, and all else waits meanwhile. */
const STRETCH = 50

/** Signed by SendGrid, so whatever cannot be read is of a kind that we do not know, and is passed over. */
async function eventsIn(body: Buffer): Promise<ProviderEvent[]> {
  const items = asJson(body)
  if (!Array.isArray(items)) return []
  const events: ProviderEvent[] = []
  for (const [index, item] of items.entries()) {
    if (index % STRETCH === STRETCH - 1) await setImmediate()
    const event = eventOf(item)
    if (event) events.push(event)
  }
  return events
}

// Thousands of events come in a second, and each is looked at by hand: a schema would take several times as long.

type Item = Readonly<Record<string, unknown>>
type Bounce = Extract<EventKind, { kind: 'bounced' }>['bounce']

const isItem = (item: unknown): item is Item =>
  typeof item === 'object' && item !== null && !Array.isArray(item)

/** The latest moment that a Date can hold, in seconds. */
const LATEST = 8_640_000_000_000

function eventOf(item: unknown): ProviderEvent | null {
  if (!isItem(item)) return null
  const { sg_event_id: id, timestamp, mid } = item
  if (typeof id !== 'string' || !/^[!-~]{1,200}$/.test(id)) return null
  if (typeof timestamp !== 'number' || !(timestamp >= 0 && timestamp <= LATEST)) return null
  const kind = kindOf(item)
  if (!kind) return null
  const tag = typeof mid === 'string' && /^[\w-]{1,256}$/.test(mid) ? mid : null
  return { id, tag, at: new Date(timestamp * 1000), words: wordsOf(item), ...kind }
}

function kindOf(item: Item): EventKind | null {
  switch (item['event']) {
    case 'processed':
      return { kind: 'accepted' }
    case 'delivered':
      return { kind: 'delivered' }
    case 'deferred':
      return { kind: 'deferred' }
    case 'bounce':
      return { kind: 'bounced', bounce: bounceOf(item) }
    case 'dropped':
      return { kind: 'failed' }
    case 'open':
      return { kind: 'opened', isMachine: item['sg_machine_open'] === true }
    case 'click':
      return { kind: 'clicked', isMachine: false, url: urlOf(item['url']) }
    case 'spamreport':
      return { kind: 'complained' }
    case 'unsubscribe':
    case 'group_unsubscribe':
      return { kind: 'unsubscribed' }
    default:
      return null
  }
}

/** About the sender, or the way there: the mailbox may be as good as any. */
const NOT_THE_MAILBOX: ReadonlySet<unknown> = new Set([
  'Reputation',
  'Technical Failure',
  'Frequency or Volume Too High',
])

/**
 * SendGrid calls a bounce what it does not try again: also a mailbox that is full or paused. Only `Invalid Address`
 * says that there is none. Of all else the server's own words decide; where they tell nothing, another class leaves it
 * open, and without a class SendGrid's "bounce" holds.
 */
function bounceOf({ type, bounce_classification: classification, status, reason }: Item): Bounce {
  if (classification === 'Content') return 'message'
  if (type === 'blocked' || NOT_THE_MAILBOX.has(classification)) return softOf(textOf(status), textOf(reason))
  if (classification === 'Invalid Address') return 'hard'
  const judged = judgeRefusal(textOf(status), textOf(reason))
  return judged ?? (textOf(classification) === '' ? 'hard' : 'soft')
}

const textOf = (field: unknown): string => (typeof field === 'string' ? field : '')

/** The receiving server's words, or SendGrid's own where it did not send. */
function wordsOf({ reason, response, status }: Item): string | null {
  const said = [reason, response, status].find((words) => typeof words === 'string' && words !== '')
  return typeof said === 'string' ? providersWords(said) || null : null
}

const URL_MAX = 2_000

const urlOf = (url: unknown): string | null =>
  typeof url === 'string' && url.length <= URL_MAX && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) ? url : null
