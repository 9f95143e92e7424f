import type { History } from '../campaigns/history.ts'
import { type Markup, markup, oneLine } from './markup.ts'

type Delivery = Awaited<ReturnType<History['deliveries']>>['items'][number]

/** What would be told of a reply, were it not said at once. */
export const hasNotArrived = ({ state }: Delivery): boolean =>
  state === 'failed' || state === 'unknown' || state === 'suppressed'

/** What became of a reply, in the colours of the screens; null where nothing is known yet. */
export function sentenceOf(delivery: Delivery | null): Markup {
  const address = oneLine(delivery?.address ?? '', 254)
  const reason = oneLine(delivery?.reason ?? '', 500).replace(/\.$/, '')
  switch (delivery?.state) {
    case 'accepted':
      return markup`🟩 Reply sent to <b>${address}</b>. The mail provider has taken it.`
    case 'failed':
      return markup`🟥 The reply to <b>${address}</b> was refused: ${reason}.`
    case 'unknown':
      return markup`⬜ Reply sent to <b>${address}</b>, but it is not certain that it was taken: ${reason}.`
    case 'suppressed':
      return markup`🔲 The reply to <b>${address}</b> was not sent. ${reason}.`
    case 'cancelled':
      return markup`⬛ The reply to <b>${address}</b> was not sent. ${reason}.`
    default:
      return markup`🟦 Reply sent to <b>${address}</b>. It is on its way.`
  }
}
