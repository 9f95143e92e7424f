import type { Outcome } from './provider.ts'
import type { Reading } from './sendgrid-answers.ts'
import type { OwnPart } from './sendgrid-mail.ts'

/**
 * SendGrid takes a call whole or not at all. Where it refuses one because of single recipients, or because it is too
 * large, the others go again, so that nobody fails by a neighbour.
 */

type Needs = {
  call: (group: readonly OwnPart[]) => Promise<Reading>
  /** Why no call may be made now, or null; asked before each, because the one before may have taken its time. */
  hindrance: () => Outcome | null
}

/**
 * Calls beyond the planned ones. SendGrid names all that it finds wrong at once, so one is the rule; the others are for
 * the day when it does not.
 */
const FURTHER_CALLS = 20

/** Not taken for certain, and soon tried again: each time some of those who stand in the way are gone. */
const OTHERS_IN_THE_WAY: Outcome = {
  kind: 'try-later',
  reason: 'SendGrid refused others of the same call, one after the other',
  afterMs: 1_000,
  about: 'mail',
}

/** The outcome of each part, by its place. */
export async function makeCalls(
  groups: readonly OwnPart[][],
  { call, hindrance }: Needs,
): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>()
  const settle = (parts: readonly OwnPart[], outcome: Outcome) => {
    for (const { place } of parts) outcomes.set(place, outcome)
  }
  let waiting = [...groups]
  let callsLeft = groups.length + FURTHER_CALLS

  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const reason = hindrance() ?? (callsLeft-- > 0 ? null : OTHERS_IN_THE_WAY)
    const reading: Reading = reason ? { kind: 'all', outcome: reason } : await call(group)

    if (reading.kind === 'all') {
      settle(group, reading.outcome)
      // Stopped, or told to wait, we do not call again: what holds for these holds for all who still wait.
      if (reason || isAboutAccount(reading.outcome)) {
        settle(waiting.flat(), reading.outcome)
        break
      }
    } else if (reading.kind === 'some-refused') {
      for (const [at, outcome] of reading.refusals) settle(group.slice(at, at + 1), outcome)
      waiting.unshift(...present(group.filter((_, at) => !reading.refusals.has(at))))
    } else if (group.length > 1) waiting.unshift(...inSmallerGroups(group))
    else {
      // Whoever's part is no shorter than one that did not fit alone will not fit either.
      const length = lengthOf(group[0])
      settle([...group, ...waiting.flat().filter((part) => lengthOf(part) >= length)], reading.outcome)
      waiting = waiting.flatMap((parts) => present(parts.filter((part) => lengthOf(part) < length)))
    }
  }
  return outcomes
}

const isAboutAccount = (outcome: Outcome): boolean =>
  outcome.kind === 'try-later' && outcome.about === 'account'

const lengthOf = (part: OwnPart | undefined): number => part?.json.length ?? 0

/** No group is left of nobody. */
const present = (...groups: OwnPart[][]): OwnPart[][] => groups.filter(({ length }) => length > 0)

/** The shortest goes alone, to see whether the letter fits at all, and the others in halves. */
function inSmallerGroups(group: readonly OwnPart[]): OwnPart[][] {
  const sorted = group.toSorted((one, other) => lengthOf(one) - lengthOf(other))
  const others = sorted.slice(1)
  const middle = Math.ceil(others.length / 2)
  return present(sorted.slice(0, 1), others.slice(0, middle), others.slice(middle))
}
