import { setImmediate } from 'node:timers/promises'
import type { ReturnPaths } from '../delivery/return-paths.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { DeliveryKey, DeliveryTokens } from '../delivery/tokens.ts'
import type { InboxService } from '../inbox/service.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import { createComplainedOf } from './complained-of.ts'
import type { IncomingMail } from './receiver.ts'
import { createRecipientOf, type Recipient, type RecipientOf } from './recipients.ts'
import { eventsOf } from './reports.ts'

/** What becomes of a mail, whichever way it has reached this installation. */
export type Intake = {
  recipientOf: RecipientOf
  /**
   * Resolves once all that the mail means is stored for good. Where one inbox refuses it, the others have it all the same:
   * whoever brings it again for that one changes nothing for them.
   */
  take(mail: IncomingMail): Promise<void>
}

type Needs = {
  returnPaths: Pick<ReturnPaths, 'read' | 'isForComplaints'>
  tokens: Pick<DeliveryTokens, 'readLinkToken'>
  delivery: Pick<DeliveryService, 'record' | 'deliveries'>
  inbox: Pick<InboxService, 'targetOf' | 'admit' | 'take'>
  limiter: Pick<RateLimiter, 'take'>
  log: Log
}

/** As much of a mail as a report needs, where it came to an inbox too. */
const REPORT_BYTES = 500_000

/** Mail that comes back is a report about a delivery of ours; all else is written to a user. */
export function createIntake({ returnPaths, tokens, delivery, inbox, limiter, log }: Needs): Intake {
  const inTurn = createTurns()
  const complainedOf = createComplainedOf({ returnPaths, tokens })

  async function addressOf({ campaignId, seq }: DeliveryKey): Promise<string | null> {
    const [row] = await delivery.deliveries(campaignId, { after: seq - 1, limit: 1 })
    return row?.seq === seq ? row.address : null
  }

  async function takeReport({ raw, from, recipients }: IncomingMail): Promise<void> {
    const deliveries = recipients.flatMap((to) => (to.kind === 'return' ? to.delivery : []))
    const isForComplaints = recipients.some(({ kind }) => kind === 'complaints')
    if (deliveries.length === 0 && !isForComplaints) return
    // As the last server on a mail's way writes it down: reports come from nobody, and are known by that too.
    const report = Buffer.concat([Buffer.from(`Return-Path: <${from}>\r\n`), raw.subarray(0, REPORT_BYTES)])
    const about = { deliveries, complainedOf: isForComplaints ? complainedOf : () => null, addressOf }
    const events = await inTurn(() => eventsOf(report, about, new Date()))
    if (events.length === 0)
      log.debug({ deliveries, isForComplaints }, 'a mail to a return path or for complaints was no report')
    else await delivery.record(null, events)
  }

  return {
    recipientOf: createRecipientOf({ returnPaths, inbox, limiter }),
    async take(mail) {
      await takeReport(mail)
      const refusals: unknown[] = []
      for (const { address, target } of inboxesOf(mail.recipients))
        await inbox
          .take(mail.raw, { from: mail.from, to: address }, target)
          .catch((error: unknown) => refusals.push(error))
      if (refusals.length > 0) throw refusals[0]
    },
  }
}

/** Each once; an address that tells which mail is answered comes before the plain one of the same inbox. */
function inboxesOf(recipients: readonly Recipient[]) {
  const inboxes = new Map<string, Extract<Recipient, { kind: 'inbox' }>>()
  for (const recipient of recipients)
    if (recipient.kind === 'inbox') {
      const { inboxId, delivery } = recipient.target
      if (delivery !== null || !inboxes.has(inboxId)) inboxes.set(inboxId, recipient)
    }
  return inboxes.values()
}

/** One after the other, with room for all else in between: a hundred mails that end together take seconds to read. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(() => setImmediate()).then(work)
    last = done.catch(() => {})
    return done
  }
}
