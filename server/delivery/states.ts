import type { DeliveryState } from '../../contract/campaigns.ts'

/** How the database writes a delivery's state: one letter, since there are a million of them. */
export type StateLetter = 'q' | 'i' | 'a' | 'f' | 'u' | 's' | 'c'

const LETTERS: Readonly<Record<DeliveryState, StateLetter>> = {
  queued: 'q',
  inFlight: 'i',
  accepted: 'a',
  failed: 'f',
  unknown: 'u',
  suppressed: 's',
  cancelled: 'c',
}
const STATES = new Map(
  (Object.entries(LETTERS) as [DeliveryState, StateLetter][]).map(([state, letter]) => [letter, state]),
)

export const letterOf = (state: DeliveryState): StateLetter => LETTERS[state]

export function stateOf(letter: string): DeliveryState {
  const state = STATES.get(letter as StateLetter)
  if (!state) throw new Error(`no delivery state is written ${letter}`)
  return state
}
