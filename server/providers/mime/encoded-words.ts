/** RFC 2047: a word has at most 75 characters, a line that holds one at most 76. */
const WORD_MAX = 75
const LINE_MAX = 76
const AROUND = '=?UTF-8?Q??='.length

/** What a reader takes for an encoded word: typed by a person, it must be encoded itself to arrive as it was typed. */
export const looksEncoded = (text: string): boolean => /=\?[^?]*\?[bq]\?[^?]*\?=/i.test(text)

/**
 * The text as encoded words, which are to be joined by folds. The first leaves room for what stands `before` it on its
 * line. A word holds whole characters only, because a reader decodes each of them alone.
 */
export function encodedWords(text: string, before: number): string[] {
  const characters = [...text]
  const quoted = characters.map(quote)
  const octets = characters.map((character) => Buffer.byteLength(character))
  const isQuotedShorter = sum(quoted.map(({ length }) => length)) <= (sum(octets) * 4) / 3

  const words: string[] = []
  let from = 0
  let size = 0
  for (let at = 0; at <= characters.length; at++) {
    const own = (isQuotedShorter ? quoted[at]?.length : octets[at]) ?? 0
    const room = (words.length === 0 ? Math.min(WORD_MAX, LINE_MAX - before) : WORD_MAX) - AROUND
    const needed = isQuotedShorter ? size + own : Math.ceil((size + own) / 3) * 4
    // A word has one character at least, however little room a long name of a header leaves.
    if (at > from && (at === characters.length || needed > room)) {
      words.push(
        isQuotedShorter
          ? `=?UTF-8?Q?${quoted.slice(from, at).join('')}?=`
          : `=?UTF-8?B?${Buffer.from(characters.slice(from, at).join('')).toString('base64')}?=`,
      )
      from = at
      size = 0
    }
    size += own
  }
  return words
}

/** The signs that stand for themselves are those that may do so in every place of a header, a name included. */
function quote(character: string): string {
  if (/^[A-Za-z0-9!*+/-]$/.test(character)) return character
  if (character === ' ') return '_'
  return quotedOctets(character)
}

const HEX = Array.from({ length: 256 }, (_, octet) => `=${octet.toString(16).toUpperCase().padStart(2, '0')}`)

/** Each octet of the text as `=XX`. */
export const quotedOctets = (text: string): string => {
  let encoded = ''
  for (const octet of Buffer.from(text)) encoded += HEX[octet]
  return encoded
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
