import type { Delivery } from '../../contract/campaigns.ts'

type Told = Omit<Delivery, 'address' | 'messageId' | 'providerId'>

/** The latest that is known of a mail, in words, and when it happened as far as that is known. */
export function happenedTo(delivery: Told): { words: string; at: string | null } {
  const { state, reason, attempts, triedAt } = delivery
  switch (state) {
    case 'queued':
      if (reason) return { words: `Will be tried again: ${reason}`, at: triedAt }
      return { words: attempts > 0 ? 'Will be tried again' : 'Waiting for its turn', at: triedAt }
    case 'inFlight':
      return {
        words: reason ? `Being asked about again: ${reason}` : 'On its way to the provider',
        at: triedAt,
      }
    case 'accepted':
      return reported(delivery)
    case 'failed':
      return {
        words: reason ?? 'The provider refused it and gave no reason',
        at: delivery.bouncedAt ?? triedAt,
      }
    case 'unknown':
      return { words: reason ?? 'Nobody can say whether the provider took it', at: triedAt }
    case 'suppressed':
      return { words: reason ?? 'Left out: this address is to get no mail', at: null }
    case 'cancelled':
      return { words: reason ?? 'Cancelled before it was sent', at: null }
  }
}

/** A complaint says more than a bounce, and an opened mail was delivered as well. */
function reported(delivery: Told): { words: string; at: string | null } {
  if (delivery.complainedAt) return { words: 'Marked as spam', at: delivery.complainedAt }
  if (delivery.bouncedAt) {
    const { reason, isUnsent } = delivery
    if (isUnsent && reason) return { words: reason, at: delivery.bouncedAt }
    const words = reason ? `Bounced: ${reason}` : 'Bounced'
    return { words, at: delivery.bouncedAt }
  }
  if (delivery.openedAt) return { words: 'Opened', at: delivery.openedAt }
  if (delivery.deliveredAt) return { words: 'Delivered', at: delivery.deliveredAt }
  return { words: 'Accepted by the provider', at: delivery.acceptedAt }
}

/** What happened to a mail, first things first. */
export function timesOf(delivery: Told): { name: string; at: string }[] {
  const all: [string, string | null][] = [
    ['Tried', delivery.acceptedAt === null ? delivery.triedAt : null],
    ['Accepted', delivery.acceptedAt],
    ['Delivered', delivery.deliveredAt],
    ['Opened', delivery.openedAt],
    [delivery.isUnsent ? 'Not sent' : 'Bounced', delivery.bouncedAt],
    ['Marked as spam', delivery.complainedAt],
  ]
  return all
    .flatMap(([name, at]) => (at === null ? [] : [{ name, at }]))
    .sort((one, other) => one.at.localeCompare(other.at))
}
