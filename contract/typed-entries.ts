import { z } from 'zod'

export const RECIPIENTS_MAX = 100_000
/** As typed, name included; whether it is one mailbox is decided by the one parser on the server. */
export const RECIPIENT_MAX = 600

/** Written when somebody needs it: the first number that a page writes with its commas takes it some 25 ms. */
const tooMany = (they: string): string =>
  `One request takes at most ${RECIPIENTS_MAX.toLocaleString('en-US')} ${they}; please send the rest in another one`

/** Addresses as they were typed; a longer list is refused in a sentence that calls them so. */
export const typedEntries = (they: 'recipients' | 'addresses', { min = 0 } = {}) =>
  z.preprocess(
    upToFirstWrong,
    z
      .array(z.string().max(RECIPIENT_MAX))
      .min(min)
      .max(RECIPIENTS_MAX, { error: () => tooMany(they) }),
  )

/** Only the first complaint is told: a list of a million wrong entries must not become a million of them. */
function upToFirstWrong(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const wrong = value.findIndex((entry) => typeof entry !== 'string' || entry.length > RECIPIENT_MAX)
  return wrong === -1 ? value : value.slice(0, wrong + 1)
}
