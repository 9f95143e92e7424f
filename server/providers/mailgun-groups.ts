import { inGroups } from './groups.ts'
import { type CallAnswer, indexOfNamed } from './mailgun-answers.ts'
import type { Member } from './mailgun-form.ts'
import type { Outcome } from './provider.ts'

export const BATCH_MAX = 1000
/** Of the recipients' own parts in one call. The letter is not counted: it travels once, however many get it. */
const OWN_PARTS_MAX = 4_000_000
/** For finding bad addresses that Mailgun does not name; one in a thousand takes twenty. */
const SEARCH_CALLS = 100

/**
 * Which copies go out together. Two spellings of one address do not: Mailgun would give one the variables of the other.
 * Nor do copies with headers of different names, which belong to the call as a whole.
 */
export function groupsOf(members: readonly Member[]): Member[][] {
  const timesSeen = new Map<string, number>()
  const alike = Map.groupBy(members, ({ address, headerNames }) => {
    const times = (timesSeen.get(address.toLowerCase()) ?? 0) + 1
    timesSeen.set(address.toLowerCase(), times)
    return `${times} ${headerNames}`
  })
  return [...alike.values()].flatMap(slices)
}

const slices = (members: readonly Member[]): Member[][] =>
  inGroups(members, { most: BATCH_MAX, room: OWN_PARTS_MAX, sizeOf: (member) => ownBytes([member]) })

const ownBytes = (members: readonly Member[]): number =>
  members.reduce((sum, { to, variables }) => sum + to.length + variables.length, 0)

type Sending = {
  /** Where the letter is what makes a call too large, fewer recipients do not help. */
  letterBytes: number
  post: (members: readonly Member[]) => Promise<CallAnswer>
  /** Asked before each call: what to say of copies that need not leave any more. */
  objection: () => Outcome | null
  note: (member: Member, outcome: Outcome) => void
}

/**
 * Sends group after group. One bad address makes Mailgun refuse a whole call, and take nobody: so it can be looked for
 * by sending the others again, without anyone getting two mails.
 */
export async function sendGroups(
  groups: readonly Member[][],
  { letterBytes, post, objection, note }: Sending,
): Promise<void> {
  let callsLeft = groups.length + SEARCH_CALLS
  let stop: Outcome | null = null

  async function send(members: readonly Member[]): Promise<void> {
    if (members.length === 0) return
    const noteAll = (outcome: Outcome) => {
      for (const member of members) note(member, outcome)
    }
    const instead = stop ?? objection() ?? (callsLeft === 0 ? GIVEN_UP : null)
    if (instead) return noteAll(instead)
    callsLeft -= 1
    const { outcome, blames, message } = await post(members)
    // Told to wait, we do not call again.
    if (outcome.kind === 'try-later' && outcome.about === 'account') stop = outcome
    if (outcome.kind !== 'rejected' || members.length === 1) return noteAll(outcome)

    const bad = members[indexOfNamed(message, members)]
    if (bad) {
      note(bad, outcome)
      return send(members.filter((member) => member !== bad))
    }
    if (blames === null || (blames === 'size' && letterBytes > ownBytes(members))) return noteAll(outcome)
    const middle = Math.ceil(members.length / 2)
    await send(members.slice(0, middle))
    await send(members.slice(middle))
  }

  for (const group of groups) await send(group)
}

/** Certainly not taken, and nothing against this very copy: the next try looks on from here. */
const GIVEN_UP: Outcome = {
  kind: 'try-later',
  reason: 'Mailgun refused a call for a bad address in it, without saying which; the search goes on later',
  afterMs: null,
  about: 'mail',
}
