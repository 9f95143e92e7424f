/**
 * Text in Telegram's HTML. Only `markup` makes it, and it takes everything that is put in for plain text: nothing that a
 * mail, a name or a subject holds can become a tag.
 */
export type Markup = { readonly html: string }

type Part = string | number | Markup | readonly Markup[]

/** A message of the bot, and what can be pressed below it. */
export type Message = { text: Markup; buttons?: readonly (readonly Button[])[] }
/** `press` comes back when it is pressed: at most 64 bytes. */
export type Button = { text: string; press: string } | { text: string; open: string }

/** Telegram counts what is left after the tags, in the units that JavaScript counts in. */
export const MESSAGE_MAX = 4096

export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return {
    html: texts
      .map((text, index) => text + (index < parts.length ? htmlOf(parts[index] ?? '') : ''))
      .join(''),
  }
}

export const joined = (parts: readonly Markup[], between = '\n'): Markup => ({
  html: parts.map(({ html }) => html).join(between),
})

function htmlOf(part: Part): string {
  if (typeof part === 'number') return escaped(part.toLocaleString('en-US'))
  if (typeof part === 'string') return escaped(plain(part))
  return 'html' in part ? part.html : joined(part).html
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Telegram knows these four and no other names of signs. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? '')

/** Signs that turn the direction of what follows, or that nobody sees: with them a text looks like another. */
const DECEIVING = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

const plain = (text: string): string =>
  text.toWellFormed().replace(DECEIVING, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))

/** In one line and at most so long; never cut within a letter. */
export function oneLine(text: string, max: number): string {
  return shortened(plain(text).replace(/\s+/g, ' ').trim(), max)
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** At most so long, with an ellipsis where something was left out. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  let end = 0
  // One letter may be long: more than this is looked at for none.
  for (const { index, segment } of letters.segment(text.slice(0, max + 50))) {
    if (index + segment.length > max - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

/** How long Telegram finds it. */
export const lengthOf = ({ html }: Markup): number =>
  html.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot);/g, '.').length
