/** Controls other than line breaks and tabs: nobody reads them, and the database refuses NUL. */
const CONTROLS = /(?![\n\t])\p{Cc}/gu
const SPACES = /[\s\p{Z}\p{Cc}]+/gu

const JOINING =
  '[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Gujr}\\p{sc=Guru}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Orya}\\p{sc=Sinh}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Khmr}]'
/**
 * Characters without a shape of their own: they make two different names look the same, or turn the reading direction
 * of what follows. Left are those that other characters need: in emoji, and between letters of scripts that join.
 */
const INVISIBLE = new RegExp(
  [
    '(?!(?<=\\p{Emoji})[\\ufe0e\\ufe0f])',
    '(?!(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic}))',
    `(?!(?<=${JOINING})[\\u200c\\u200d](?=${JOINING}))`,
    '[\\p{Default_Ignorable_Code_Point}\\p{Cf}\\u2800]',
  ].join(''),
  'gu',
)
const NEVER_SEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\s\u2800]/gu
/** Turn or isolate the direction of what follows: by them a link can show another address than it has. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** No script stacks more; a hundred marks on one letter cover the lines above and below. */
const STACKED_MARKS = /(\p{M}{8})\p{M}+/gu

/** Text of several lines that every store and page can carry: whole characters, `\n` for line breaks. */
export function storableText(text: string, max: number): string {
  const kept = cut(text, max).toWellFormed()
  return kept
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '')
    .replace(/^\ufeff/, '')
}

/** One line, with nothing in it that cannot be seen: for names, subjects, file names. */
export function oneLine(text: string, max: number): string {
  // Whatever is left out makes room for what follows; ten times over is enough for every honest text.
  const line = cut(text, max * 10)
    .toWellFormed()
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(STACKED_MARKS, '$1')
    .replace(/ {2,}/g, ' ')
  return cut(line.trim(), max).trim()
}

/** An address as it is shown and answered: no blank, nothing that cannot be seen. */
export const visibleAddress = (address: string, max = 320): string =>
  cut(
    cut(address, max * 4)
      .toWellFormed()
      .replace(NEVER_SEEN, ''),
    max,
  )

export const withoutDirections = (text: string): string => text.replace(DIRECTIONS, '')

/** At most `max` UTF-16 units, never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}
