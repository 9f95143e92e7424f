import { createMailgun } from '../../providers/mailgun.ts'
import type { Provider } from '../../providers/provider.ts'
import { createSendgrid } from '../../providers/sendgrid.ts'
import { createSes } from '../../providers/ses.ts'

/** The providers at which a user has an account of their own. */
export const OWN_KINDS = ['sendgrid', 'mailgun', 'ses'] as const
export type OwnKind = (typeof OWN_KINDS)[number]

/** What such a user types in the settings; the ledgers know the same. */
export const OWN_SETTINGS = {
  sendgrid: { apiKey: 'SG.ledger' },
  mailgun: { apiKey: 'key-ledger' },
  ses: { apiKey: 'AKIALEDGER0000000001', smtpPassword: 'ledger/secret+key', smtpHost: 'us-east-1' },
} as const

/** As Postrider has it for such a user, at this address. */
export function providerAt(kind: OwnKind, baseUrl: URL): Provider {
  const { apiKey: accessKeyId, smtpPassword: secretAccessKey, smtpHost: region } = OWN_SETTINGS.ses
  switch (kind) {
    case 'sendgrid':
      return createSendgrid({ ...OWN_SETTINGS.sendgrid, baseUrl })
    case 'mailgun':
      return createMailgun({ ...OWN_SETTINGS.mailgun, baseUrl })
    case 'ses':
      return createSes({ accessKeyId, secretAccessKey, region, baseUrl })
  }
}

/** How many calls a worker may have under way at each, and how many mails one of them carries at most. */
export const CALLS_UNDER_WAY: Record<OwnKind, number> = eachKind(({ concurrency }) => concurrency)
export const MAILS_OF_A_CALL: Record<OwnKind, number> = eachKind(({ batchMax }) => batchMax)

function eachKind<T>(read: (provider: Provider) => T): Record<OwnKind, T> {
  const of = (kind: OwnKind) => read(providerAt(kind, new URL('http://127.0.0.1:9')))
  return { sendgrid: of('sendgrid'), mailgun: of('mailgun'), ses: of('ses') }
}
