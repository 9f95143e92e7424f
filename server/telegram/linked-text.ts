import type { Visit } from './chat.ts'

/**
 * What somebody wrote, as it is mailed: a link under words is written out behind them, since all of it that Telegram has
 * in the text are the words. Undefined for a message without a text.
 */
export function linkedText(visit: Visit): string | undefined {
  const text = visit.message?.text
  if (text === undefined) return undefined
  return visit
    .entities('text_link')
    .filter(({ text: words, url }) => bare(words) !== bare(url))
    .toSorted((one, other) => other.offset - one.offset)
    .reduce((written, { offset, length, url }) => {
      const end = offset + length
      return `${written.slice(0, end)} (${url})${written.slice(end)}`
    }, text)
}

/** An address that stands for itself is often written without its beginning. */
const bare = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
