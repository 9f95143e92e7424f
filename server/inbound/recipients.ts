import type { ReturnPaths } from '../delivery/return-paths.ts'
import type { DeliveryKey } from '../delivery/tokens.ts'
import { withAsciiDomain } from '../inbox/ascii-domain.ts'
import type { InboxService, InboxTarget } from '../inbox/service.ts'
import type { Limit, RateLimiter } from '../platform/rate-limit.ts'

/**
 * For whom a mail is taken in. `return`: it is about a delivery of ours that came back, or that somebody complains of.
 * `complaints`: a feedback loop reports to the address that was registered there. `inbox`: somebody writes to a user.
 */
export type Recipient =
  | { kind: 'return'; delivery: DeliveryKey }
  | { kind: 'complaints' }
  | { kind: 'inbox'; address: string; target: InboxTarget }

/** Decides by the address, and by who calls; null is nobody here. */
export type RecipientOf = (address: string, from: string) => Promise<Recipient | null>

/** More than any honest server brings, and any inbox gets when a large campaign is answered; the rest comes later. */
const LIMITS = {
  fromOneAddress: { burst: 20_000, refillSeconds: 0.05 },
  toOneInbox: { burst: 20_000, refillSeconds: 0.1 },
} satisfies Record<string, Limit>

type Needs = {
  returnPaths: Pick<ReturnPaths, 'read' | 'isForComplaints'>
  inbox: Pick<InboxService, 'targetOf' | 'admit'>
  limiter: Pick<RateLimiter, 'take'>
  limits?: typeof LIMITS
}

export const createRecipientOf =
  ({ returnPaths, inbox, limiter, limits = LIMITS }: Needs): RecipientOf =>
  async (written, from) => {
    const address = withAsciiDomain(written)
    const delivery = returnPaths.read(address)
    // Not limited: the reports about a large campaign may all come from one relay, within minutes.
    if (delivery) return { kind: 'return', delivery }
    const target = await inbox.targetOf(address)
    // Behind the inboxes: whoever had the name before it was kept for this goes on getting their mail.
    if (!target && !returnPaths.isForComplaints(address)) return null
    await limiter.take(`inbound-from/${from}`, limits.fromOneAddress)
    await limiter.take(`inbound-to/${target?.inboxId ?? 'complaints'}`, limits.toOneInbox)
    if (!target) return { kind: 'complaints' }
    await inbox.admit(target)
    return { kind: 'inbox', address, target }
  }
