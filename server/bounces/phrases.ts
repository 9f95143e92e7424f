import { findAddresses } from './addresses.ts'
import { OF_LANGUAGES } from './phrases-of-languages.ts'
import { OF_THE_ADDRESS } from './phrases-of-the-address.ts'
import { OF_THE_MAIL } from './phrases-of-the-mail.ts'
import { OF_THE_WAY } from './phrases-of-the-way.ts'
import type { BounceCause } from './reading.ts'

export type FoundPhrase = { cause: BounceCause; isHint: boolean }
export type FindPhrase = (text: string) => FoundPhrase | null

const GAP_MAX = 80
/** Beyond this a text is no answer of a server. */
const TEXT_MAX = 4_000
/** Searched for one mail, of all its recipients together; reports about one of our mails are a tenth of this. */
const SEARCHED_MAX = 20_000
/** To search a few characters takes as long as to search so many. */
const SEARCH_MIN = 100
/** Of a word that is repeated on and on only the first are followed up. */
const BEGINNINGS_MAX = 20
type Phrase = FoundPhrase & { pieces: string[]; isUnspaced: boolean }
const COMPILED: Phrase[] = [...OF_THE_MAIL, ...OF_THE_ADDRESS, ...OF_LANGUAGES, ...OF_THE_WAY].flatMap(
  ({ cause, isHint, phrases }) =>
    phrases.map((phrase) => ({
      cause,
      isHint: isHint === true,
      pieces: phrase.split('*'),
      // Lines of Chinese and Japanese break anywhere, so blanks mean nothing there.
      isUnspaced: /[\u3040-\u30ff\u4e00-\u9fff]/.test(phrase),
    })),
)

const PLAIN = COMPILED.filter(({ isHint }) => !isHint)
const HINTS = COMPILED.filter(({ isHint }) => isHint)

/** For one mail: finds nothing more once enough was searched, so that nobody can make it long work by writing much. */
export function createPhraseSearch(): FindPhrase {
  let left = SEARCHED_MAX
  return (text) => {
    if (left <= 0 || text === '') return null
    left -= Math.max(SEARCH_MIN, Math.min(text.length, TEXT_MAX))
    return findPhrase(text)
  }
}

/** What speaks of the sender or the mail comes before what speaks of the address; a hint never beats a plain word. */
export function findPhrase(text: string): FoundPhrase | null {
  const spaced = normalized(text.slice(0, TEXT_MAX))
  const unspaced = spaced.replaceAll(' ', '')
  const isSaid = ({ isUnspaced, pieces }: Phrase): boolean => isIn(isUnspaced ? unspaced : spaced, pieces)
  const found = PLAIN.find(isSaid) ?? HINTS.find(isSaid)
  return found ? { cause: found.cause, isHint: found.isHint } : null
}

function isIn(text: string, [first = '', ...rest]: string[]): boolean {
  let at = text.indexOf(first)
  if (rest.length === 0) return at >= 0
  for (let count = 0; at >= 0 && count < BEGINNINGS_MAX; count += 1) {
    if (follows(text, at + first.length, rest)) return true
    at = text.indexOf(first, at + 1)
  }
  return false
}

function follows(text: string, from: number, pieces: string[]): boolean {
  let at = from
  for (const piece of pieces) {
    const next = text.slice(at, at + GAP_MAX + piece.length).indexOf(piece)
    if (next < 0) return false
    at += next + piece.length
  }
  return true
}

/** A host of three labels and more: `spam-filter.example.com` says nothing of spam. */
const HOST = /\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){2,8}\b/g

/** Small letters, single blanks, and no names: an address may be called `user-unknown@` or `spam@`. */
function normalized(text: string): string {
  const small = withoutAddresses(text)
    .toLowerCase()
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, ' ')
  return small.replace(HOST, (host) => (KEPT_HOST.test(host) ? host : ' '))
}

/** Lists of blocked senders are named by their host; Exchange writes its codes like one. */
const KEPT_HOST =
  /spamhaus|spamcop|sorbs|barracuda|abuseat|surbl|uribl|dnsbl|mailspike|senderbase|resolver|storedrv|queue|routing|smtpsend|smtpin|^[\d.]+$/

function withoutAddresses(text: string): string {
  const kept: string[] = []
  let at = 0
  for (const { start, end } of findAddresses(text)) {
    kept.push(text.slice(at, start))
    at = end
  }
  kept.push(text.slice(at))
  return kept.join(' ')
}
