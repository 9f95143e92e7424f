import { DELIVERY_STATES, type DeliveryCounts, DeliveryState } from '../../contract/campaigns.ts'
import type { DeliveriesFilter } from '../api/campaigns.ts'
import { STATE_NAMES } from '../ui/delivery-states.ts'
import { searchIn } from '../ui/search-in.ts'

export type ShownDeliveries = { state: DeliveryState | null; q: string }

/** The longest that the server searches for. */
export const ADDRESS_MAX = 320

export function readShown(search: string): ShownDeliveries {
  const query = new URLSearchParams(search)
  const state = DeliveryState.safeParse(query.get('state'))
  return { state: state.success ? state.data : null, q: searchIn(query, ADDRESS_MAX) }
}

export function writeShown({ state, q }: ShownDeliveries): string {
  const query = new URLSearchParams({ ...(state ? { state } : {}), ...(q ? { q } : {}) })
  return query.size > 0 ? `?${query}` : ''
}

export const deliveriesRequest = ({ state, q }: ShownDeliveries): DeliveriesFilter => ({
  ...(state ? { state } : {}),
  ...(q.trim() ? { q: q.trim() } : {}),
})

export type StateChoice = { state: DeliveryState | null; name: string; count: number }

/** All, and each state in which somebody is; the chosen one stays, even when the last one has left it. */
export function choicesFor(counts: DeliveryCounts, chosen: DeliveryState | null): StateChoice[] {
  const states = DELIVERY_STATES.map((state) => ({ state, name: STATE_NAMES[state], count: counts[state] }))
  const all = states.reduce((sum, { count }) => sum + count, 0)
  return [
    { state: null, name: 'All', count: all },
    ...states.filter(({ state, count }) => count > 0 || state === chosen),
  ]
}
