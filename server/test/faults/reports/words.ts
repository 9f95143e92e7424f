import type { ReportKind } from '../../simulators/ses-reports.ts'

export const KINDS = [
  'accepted',
  'delivered',
  'deferred',
  'opened',
  'clicked',
  'bounced',
  'complained',
] as const
export type Kind = (typeof KINDS)[number]

/** What each provider calls the same thing, with the fields that tell it from others. */

export const RESEND_KINDS: Record<Kind, { type: string } & Record<string, unknown>> = {
  accepted: { type: 'email.sent' },
  delivered: { type: 'email.delivered' },
  deferred: { type: 'email.delivery_delayed' },
  opened: { type: 'email.opened' },
  clicked: { type: 'email.clicked', click: { link: 'https://x.test/a' } },
  bounced: {
    type: 'email.bounced',
    bounce: { type: 'Permanent', subType: 'General', message: '550 No such user' },
  },
  complained: { type: 'email.complained' },
}

export const SENDGRID_KINDS: Record<Kind, { event: string } & Record<string, unknown>> = {
  accepted: { event: 'processed' },
  delivered: { event: 'delivered', response: '250 OK' },
  deferred: { event: 'deferred', response: '451 Try again later', attempt: '1' },
  opened: { event: 'open', useragent: 'Mozilla/5.0', sg_machine_open: false },
  clicked: { event: 'click', url: 'https://x.test/a' },
  bounced: { event: 'bounce', type: 'bounce', reason: '550 No such user', status: '5.1.1' },
  complained: { event: 'spamreport' },
}

export const MAILGUN_KINDS: Record<Kind, { event: string } & Record<string, unknown>> = {
  accepted: { event: 'accepted' },
  delivered: { event: 'delivered', 'delivery-status': { code: 250, message: 'OK' } },
  deferred: {
    event: 'failed',
    severity: 'temporary',
    reason: 'generic',
    'delivery-status': { code: 451, message: 'Try again later' },
  },
  opened: { event: 'opened', 'client-info': { bot: '' } },
  clicked: { event: 'clicked', 'client-info': { bot: '' }, url: 'https://x.test/a' },
  bounced: {
    event: 'failed',
    severity: 'permanent',
    reason: 'bounce',
    'delivery-status': { code: 550, message: 'No such user' },
  },
  complained: { event: 'complained' },
}

export const SES_KINDS: Record<Kind, ReportKind> = {
  accepted: { kind: 'Send' },
  delivered: { kind: 'Delivery' },
  deferred: { kind: 'DeliveryDelay', delayType: 'MailboxFull' },
  opened: { kind: 'Open' },
  clicked: { kind: 'Click', link: 'https://x.test/a' },
  bounced: { kind: 'Bounce', type: 'Permanent', subType: 'General' },
  complained: { kind: 'Complaint' },
}
