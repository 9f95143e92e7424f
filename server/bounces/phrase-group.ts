import type { BounceCause } from './reading.ts'

/**
 * What servers say, by what they mean. A `*` in a phrase stands for up to 80 characters, a `_` at its beginning for the
 * beginning of a word. Order matters: of two that are found the earlier wins.
 */
export type PhraseGroup = {
  cause: BounceCause
  /** Words that hint at the cause but are also said for others: a precise code outweighs them. */
  isHint?: true
  phrases: string[]
}

/** A table of phrases as it reads best: many on a line, with bars between. */
export const said = (table: string): string[] =>
  table
    .split(/[|\n]/)
    .map((phrase) => phrase.trim().replace(/^_/, ' '))
    .filter((phrase) => phrase !== '')
