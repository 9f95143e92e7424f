const SHOWN_CHARACTERS = 100

/**
 * How a refusal names an entry of a list: on one line, whatever it holds, and not too long. The server writes it so, and
 * the page finds by it what was refused.
 */
export function namedEntry(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return `"${line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line}"`
}
