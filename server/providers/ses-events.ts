import { z } from 'zod'
import { firstAddress } from '../bounces/addresses.ts'
import { isSameMailbox, notThere } from '../bounces/passed-on.ts'
import type { EventKind, ProviderEvent, WebhookCall, WebhookReading } from './events.ts'
import { asJson } from './json.ts'
import { providersWords } from './providers-words.ts'
import { softOf } from './refusal.ts'
import { ID_HEADER } from './ses-mail.ts'
import { readSnsMessage, type SnsMessage, type SnsOptions } from './sns-messages.ts'

/**
 * What Amazon SES reports of a mail by way of SNS: as an event of a configuration set, which carries our tag, or as a
 * notification of an identity, which carries it in a header of ours if it was told to include the headers.
 */
export async function readSesEvents(call: WebhookCall, options: SnsOptions): Promise<WebhookReading> {
  const message = await readSnsMessage(call, options)
  if ('why' in message) return message
  if (message.type === 'SubscriptionConfirmation')
    return { kind: 'confirmation', url: message.url, topic: message.topic }
  return { kind: 'events', events: message.type === 'Notification' ? eventsOf(message) : [] }
}

// Read leniently: a field that is missing or of another kind is as good as empty.
const Text = z.string().catch('')
const list = <T extends z.ZodType>(item: T) => z.array(item.nullable().catch(null)).catch([])
const part = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullable().catch(null)
const Person = z.object({ emailAddress: Text, action: Text, diagnosticCode: Text, status: Text })
type Person = z.infer<typeof Person>

const Report = z.object({
  eventType: Text,
  notificationType: Text,
  mail: part({
    tags: z
      .object({ mid: list(z.string()) })
      .nullable()
      .catch(null),
    headers: list(z.object({ name: z.string(), value: z.string() })),
    destination: list(z.string()),
  }),
  bounce: part({ bounceType: Text, bounceSubType: Text, bouncedRecipients: list(Person), timestamp: Text }),
  complaint: part({
    complainedRecipients: list(Person),
    complaintFeedbackType: Text,
    complaintSubType: Text,
    timestamp: Text,
  }),
  delivery: part({ recipients: list(z.string()), smtpResponse: Text, timestamp: Text }),
  deliveryDelay: part({ delayType: Text, delayedRecipients: list(Person), timestamp: Text }),
  reject: part({ reason: Text }),
  failure: part({ errorMessage: Text }),
  open: part({ userAgent: Text, timestamp: Text }),
  click: part({ userAgent: Text, timestamp: Text, link: Text }),
  subscription: part({
    timestamp: Text,
    newTopicPreferences: part({
      unsubscribeAll: z.boolean().catch(false),
      topicSubscriptionStatus: list(z.object({ subscriptionStatus: Text })),
    }),
  }),
})
type Report = z.infer<typeof Report>
type Bounce = NonNullable<Report['bounce']>

/** One thing that happened, before it is known whose it is. */
type Happening = { kind: EventKind; words: string; timestamp: string }

function eventsOf({ id, at, message }: Extract<SnsMessage, { type: 'Notification' }>): ProviderEvent[] {
  const { data } = Report.safeParse(asJson(message))
  // Amazon tries a new topic with a line of plain text.
  if (!data) return []
  const tag = tagIn(data)
  return happenings(data).map(({ kind, words, timestamp }, index) => {
    const told = new Date(timestamp)
    return {
      // One message may speak of several recipients, and comes again with the same id.
      id: `${id}/${index}`,
      tag,
      at: Number.isNaN(told.getTime()) ? at : told,
      words: providersWords(words) || null,
      ...kind,
    }
  })
}

/** A tag has one form only; what has another is not from us. */
const TAG = /^[\w-]{1,256}$/

function tagIn({ mail }: Report): string | null {
  const inHeader = mail?.headers.find((header) => header?.name.toLowerCase() === ID_HEADER.toLowerCase())
  const tag = mail?.tags?.mid[0] ?? inHeader?.value ?? ''
  return TAG.test(tag) ? tag : null
}

function happenings(report: Report): Happening[] {
  const { bounce, complaint, delivery, deliveryDelay, reject, failure, open, click, subscription } = report
  switch (report.eventType || report.notificationType) {
    case 'Send':
      return one({ kind: 'accepted' })
    case 'Delivery':
      return deliveriesIn(delivery)
    case 'Bounce':
      return bouncesIn(bounce, report.mail?.destination ?? [])
    case 'Complaint':
      return complaintsIn(complaint)
    case 'DeliveryDelay':
      return delaysIn(deliveryDelay)
    case 'Reject':
      return one({ kind: 'failed' }, reject?.reason)
    case 'Rendering Failure':
      return one({ kind: 'failed' }, failure?.errorMessage)
    case 'Open':
      return one({ kind: 'opened', isMachine: isMachine(open?.userAgent) }, '', open?.timestamp)
    case 'Click':
      return one(
        { kind: 'clicked', isMachine: isMachine(click?.userAgent), url: linkIn(click?.link) },
        '',
        click?.timestamp,
      )
    case 'Subscription':
      return hasLeft(subscription) ? one({ kind: 'unsubscribed' }, '', subscription?.timestamp) : []
    default:
      // A received mail, the confirmation of a topic, whatever Amazon may come to report.
      return []
  }
}

const one = (kind: EventKind, words = '', timestamp = ''): Happening[] => [{ kind, words, timestamp }]

/** Every recipient of ours has a mail of their own; a report that names nobody is about that one. */
const each = <T>(people: readonly T[], happening: (person: T | null) => Happening): Happening[] =>
  people.length > 0 ? people.map(happening) : [happening(null)]

const wordsOf = (person: Person | null): string => person?.diagnosticCode || person?.status || ''

const deliveriesIn = (delivery: Report['delivery']): Happening[] =>
  delivery
    ? each(delivery.recipients, () => ({
        kind: { kind: 'delivered' },
        words: delivery.smtpResponse,
        timestamp: delivery.timestamp,
      }))
    : []

const delaysIn = (delay: Report['deliveryDelay']): Happening[] =>
  delay
    ? each(delay.delayedRecipients, (person) => ({
        kind: { kind: 'deferred' },
        words: wordsOf(person) || delay.delayType,
        timestamp: delay.timestamp,
      }))
    : []

const bouncesIn = (bounce: Report['bounce'], writtenTo: readonly (string | null)[]): Happening[] =>
  bounce
    ? each(bounce.bouncedRecipients, (person) => {
        const words = wordsOf(person) || `${bounce.bounceType} ${bounce.bounceSubType}`
        const { timestamp } = bounce
        if (isAnswer(bounce, person)) return { kind: { kind: 'accepted' }, words, timestamp }
        const judged = bounceOf(bounce, person)
        const other = judged === 'hard' ? otherThan(writtenTo, person) : null
        return other === null
          ? { kind: { kind: 'bounced', bounce: judged }, words, timestamp }
          : { kind: { kind: 'bounced', bounce: 'soft' }, words: `${notThere(other)}: ${words}`, timestamp }
      })
    : []

/**
 * Whom a server could not reach, where that is not who was written to: their address exists, and passes mail on. Amazon
 * gives whom the server's report names, in whatever form.
 */
function otherThan(writtenTo: readonly (string | null)[], person: Person | null): string | null {
  const [own, named] = [writtenTo[0], person?.emailAddress].map((text) => firstAddress(text ?? ''))
  return own && named && writtenTo.length === 1 && !isSameMailbox(own, named) ? named : null
}

/**
 * Somebody who is away has a note sent in answer to a mail, and Amazon calls that a bounce too. A mail that came back has
 * the report of a server with it, which says what was done with it and why; a note has none, and proves that the mail was
 * taken.
 */
const isAnswer = ({ bounceType, bounceSubType }: Bounce, person: Person | null): boolean =>
  bounceType === 'Transient' &&
  bounceSubType === 'General' &&
  person !== null &&
  person.action + person.status + person.diagnosticCode === ''

const ABOUT_THE_MAIL: ReadonlySet<string> = new Set([
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
])

/**
 * A mailbox that was away until Amazon gave up ("message expired") stays `soft`: it exists for all that is known, and
 * if it is gone for good the next mails will show it.
 */
function bounceOf(bounce: Bounce, person: Person | null): 'hard' | 'soft' | 'message' {
  if (ABOUT_THE_MAIL.has(bounce.bounceSubType)) return 'message'
  return bounce.bounceType === 'Permanent'
    ? 'hard'
    : softOf(person?.status ?? '', person?.diagnosticCode ?? '')
}

function complaintsIn(complaint: Report['complaint']): Happening[] {
  // Somebody has taken it out of the spam folder.
  if (!complaint || complaint.complaintFeedbackType === 'not-spam') return []
  // They complained about an earlier mail, and Amazon did not send this one.
  const isOfOld = complaint.complaintSubType === 'OnAccountSuppressionList'
  return each(complaint.complainedRecipients, () => ({
    kind: { kind: isOfOld ? 'failed' : 'complained' },
    words: isOfOld ? 'On the suppression list of Amazon SES' : complaint.complaintFeedbackType,
    timestamp: complaint.timestamp,
  }))
}

/** Apple's proxy fetches every picture, read or not, and says no more than this of itself. */
const isMachine = (userAgent = ''): boolean => userAgent === 'Mozilla/5.0'

const LINK_MAX = 2_000
const linkIn = (link = ''): string | null =>
  /^https?:\/\/[\x21-\x7e]+$/.test(link) && link.length <= LINK_MAX ? link : null

function hasLeft(subscription: Report['subscription']): boolean {
  const wishes = subscription?.newTopicPreferences
  return (
    wishes?.unsubscribeAll === true ||
    (wishes?.topicSubscriptionStatus.some((topic) => topic?.subscriptionStatus === 'OptOut') ?? false)
  )
}
