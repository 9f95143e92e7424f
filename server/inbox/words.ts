/**
 * Words for finding messages. They are cut here, not by the database: accents and case fall off, scripts without blanks
 * are found by any two signs of theirs, and no text can be written that the index would refuse.
 */

/** Signs that are read of a text, some twenty pages; the rest of a very long mail is not found by its words. */
const TEXT_MAX = 50_000
/** Of one message. An index of many thousands takes long to write, and the limit of the database is a megabyte. */
const WORDS_MAX = 5_000
/** Of one message, each as often as it stands there: of twenty pages there are fewer. */
const LOOKED_AT_MAX = 10_000
const WORD_MAX = 40
const QUERY_WORDS = 20
/** Of the owner, before each word: everybody's words then stand together, and nobody searches through those of others. */
const MARK_LENGTH = 6
/**
 * Behind it the slice of time that a message came in, one for each week: the newest hits are then found without looking
 * at the older ones, however many those are.
 */
export const SLICE_SECONDS = 7 * 24 * 3600
export const SLICE_LENGTH = 4
/** Stands in a query for the slice, which the search fills in; no word holds it. */
export const ANY_SLICE = '?'

const WORD = /[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu
/** Scripts that put no blanks between words. */
const DENSE =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]'
const RUNS = new RegExp(`${DENSE}+|(?:(?!${DENSE}).)+`, 'gu')
const IS_DENSE = new RegExp(`^${DENSE}`, 'u')

/** The words of a message, for the index of its owner. What comes first is sure to be found. */
export function lexemesOf(
  { userId, receivedAt }: { userId: string; receivedAt: Date },
  texts: readonly string[],
): string[] {
  const mark = markOf(userId) + sliceOf(receivedAt)
  const words = new Set<string>()
  let looked = 0
  for (const text of texts)
    for (const word of wordsOf(text)) {
      if (words.size >= WORDS_MAX || looked >= LOOKED_AT_MAX) return [...words]
      words.add(mark + word)
      looked += 1
    }
  return [...words]
}

function* wordsOf(text: string): Generator<string> {
  for (const run of runsOf(text))
    if (isDense(run)) {
      yield* pairsOf(run)
      yield lastOf(run)
    } else yield shortened(run)
}

/** Both in the language of the database, for any slice. `narrowing`: what its index is asked, and leaves fewer than it would take to sort. */
export type WordQuery = { all: string; narrowing: string }

/** The beginnings of words that are shorter stand in nearly every message, under thousands of words. */
const TELLING = 3

/**
 * What somebody has typed: all the words, the last of which may be the beginning of one. Null where it holds none. Nothing
 * but letters and digits is left, so nothing in it can mean anything else.
 */
export function queryOf(userId: string, typed: string): WordQuery | null {
  const mark = markOf(userId) + ANY_SLICE
  const runs = [...runsOf(typed)].slice(0, QUERY_WORDS)
  const terms = runs.flatMap((run, index) => {
    if (!isDense(run)) return { word: shortened(run), isBeginning: index === runs.length - 1 }
    const pairs = [...pairsOf(run)]
    return pairs.length > 0
      ? pairs.map((word) => ({ word, isBeginning: false }))
      : { word: run, isBeginning: true }
  })
  if (terms.length === 0) return null
  const telling = terms.filter(({ word, isBeginning }) => !isBeginning || [...word].length >= TELLING)
  const written = (some: typeof terms): string =>
    [...new Set(some.map(({ word, isBeginning }) => `'${mark}${word}'${isBeginning ? ':*' : ''}`))].join(
      ' & ',
    )
  return { all: written(terms), narrowing: written(telling.length > 0 ? telling : terms) }
}

const markOf = (userId: string): string => userId.replaceAll('-', '').slice(0, MARK_LENGTH)

const sliceOf = (date: Date): string =>
  Math.floor(date.getTime() / 1000 / SLICE_SECONDS)
    .toString(16)
    .padStart(SLICE_LENGTH, '0')

/** Pieces of one manner of writing. */
function* runsOf(text: string): Generator<string> {
  for (const [word] of fold(text).matchAll(WORD)) for (const [run] of word.matchAll(RUNS)) yield run
}

const isDense = (run: string): boolean => IS_DENSE.test(run)
const shortened = (word: string): string =>
  word.length > WORD_MAX ? [...word].slice(0, WORD_MAX).join('') : word

/** Each sign with the one behind it. */
function* pairsOf(run: string): Generator<string> {
  let before = ''
  for (const sign of run) {
    if (before !== '') yield before + sign
    before = sign
  }
}

const lastOf = (run: string): string => [...run.slice(-2)].at(-1) ?? run

/** Cut twice: one sign can become eighteen. */
const fold = (text: string): string =>
  text
    .slice(0, TEXT_MAX)
    .normalize('NFKD')
    .slice(0, 2 * TEXT_MAX)
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
