import { randomUUID } from 'node:crypto'
import { addressIn, type TakenMail } from './ses-mail.ts'

/** What Amazon SES reports of a mail, in the form that goes into the message of SNS. */

export type ReportKind =
  | { kind: 'Send' | 'Delivery' | 'Open' | 'Reject' | 'Rendering Failure' }
  | { kind: 'Click'; link: string }
  /** `report`: what the server said of each recipient; null where only a note of somebody away came back. */
  | { kind: 'Bounce'; type: string; subType: string; report?: object | null }
  | { kind: 'Complaint'; feedbackType?: string; subType?: string }
  | { kind: 'DeliveryDelay'; delayType: string }
  | { kind: 'Subscription'; unsubscribeAll: boolean }

/** An event of a configuration set carries tags; a notification of an identity carries the headers at most. */
export type ReportForm = 'configuration-set' | 'identity'

export function reportOf(taken: TakenMail, what: ReportKind, form: ReportForm, at: Date): object {
  const { id, mail } = taken
  const timestamp = at.toISOString()
  const headers = Object.entries({ From: mail.from, To: mail.to.join(), ...mail.headers })
  const about = {
    timestamp,
    messageId: id,
    source: addressIn(mail.from),
    destination: mail.to.map(addressIn),
    headersTruncated: false,
    headers: headers.map(([name, value]) => ({ name, value })),
    commonHeaders: { from: [mail.from], to: mail.to, messageId: id, subject: mail.subject },
  }
  const tags = Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]))
  const own = detailsOf(taken, what, timestamp)
  if (form === 'identity') return { notificationType: what.kind, mail: about, ...own }
  const set = { 'ses:configuration-set': ['app-events'] }
  return { eventType: what.kind, mail: { ...about, tags: { ...set, ...tags } }, ...own }
}

const SAID = { action: 'failed', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }

function detailsOf({ mail }: TakenMail, what: ReportKind, timestamp: string): object {
  const people = mail.to.map((to) => ({ emailAddress: addressIn(to) }))
  const feedbackId = randomUUID()
  const reader = { ipAddress: '192.0.2.1', timestamp, userAgent: 'Mozilla/5.0 (X11; Linux)' }
  switch (what.kind) {
    case 'Send':
      return { send: {} }
    case 'Delivery':
      return {
        delivery: {
          timestamp,
          recipients: mail.to.map(addressIn),
          smtpResponse: '250 2.6.0 Message received',
          processingTimeMillis: 546,
          reportingMTA: 'a8-70.smtp-out.amazonses.com',
        },
      }
    case 'Bounce':
      return {
        bounce: {
          bounceType: what.type,
          bounceSubType: what.subType,
          bouncedRecipients: people.map((person) => ({
            ...person,
            ...(what.report === undefined ? SAID : what.report),
          })),
          timestamp,
          feedbackId,
          ...(what.report === null ? {} : { reportingMTA: 'dsn; a8-70.smtp-out.amazonses.com' }),
        },
      }
    case 'Complaint':
      return {
        complaint: {
          complainedRecipients: people,
          complaintFeedbackType: what.feedbackType ?? 'abuse',
          complaintSubType: what.subType ?? null,
          timestamp,
          feedbackId,
          userAgent: 'AnyCompany Feedback Loop (V0.01)',
          arrivalDate: timestamp,
        },
      }
    case 'DeliveryDelay':
      return {
        deliveryDelay: {
          timestamp,
          delayType: what.delayType,
          expirationTime: timestamp,
          delayedRecipients: people.map((person) => ({
            ...person,
            status: '4.2.2',
            diagnosticCode: 'smtp; 452 4.2.2 over quota',
          })),
        },
      }
    case 'Reject':
      return { reject: { reason: 'Bad content' } }
    case 'Rendering Failure':
      return { failure: { templateName: '', errorMessage: mail.text } }
    case 'Open':
      return { open: reader }
    case 'Click':
      return { click: { ...reader, link: what.link, linkTags: null } }
    case 'Subscription':
      return {
        subscription: {
          contactList: 'list',
          timestamp,
          source: 'UnsubscribeHeader',
          newTopicPreferences: { unsubscribeAll: what.unsubscribeAll, topicSubscriptionStatus: [] },
          oldTopicPreferences: { unsubscribeAll: false, topicSubscriptionStatus: [] },
        },
      }
  }
}

/** What happens to a mail by itself, in order. */
export function reportsOf({ fate }: TakenMail): ReportKind[] {
  switch (fate) {
    case 'delivered':
      return [{ kind: 'Send' }, { kind: 'Delivery' }]
    case 'away':
      return [
        { kind: 'Send' },
        { kind: 'Delivery' },
        { kind: 'Bounce', type: 'Transient', subType: 'General', report: null },
      ]
    case 'bounced':
      return [{ kind: 'Send' }, { kind: 'Bounce', type: 'Permanent', subType: 'General' }]
    case 'suppressed':
      return [{ kind: 'Send' }, { kind: 'Bounce', type: 'Permanent', subType: 'OnAccountSuppressionList' }]
    case 'complained':
      return [{ kind: 'Send' }, { kind: 'Delivery' }, { kind: 'Complaint' }]
    case 'not-rendered':
      return [{ kind: 'Rendering Failure' }]
  }
}
