const TEXT_MAX = 4096
const LOOK_BACK = 300

/**
 * A text as Telegram's client for Android sends it: what is longer than a message is cut at the best place among the
 * last signs of each piece, and every piece is trimmed. The sign at the cut is sent with neither piece, also where it is
 * a letter: so it is in a text that has no blank for long enough.
 */
export function piecesOf(text: string): string[] {
  const whole = text.trim()
  const pieces: string[] = []
  for (let start = 0; start < whole.length; ) {
    const end = endOf(whole, start)
    pieces.push(whole.slice(start, end).trim())
    start = end + 1
  }
  return pieces.filter((piece) => piece !== '')
}

/** At a blank line, else at the first line break that is near enough, else after a sentence, else at a blank. */
function endOf(text: string, start: number): number {
  const limit = start + TEXT_MAX
  if (text.length <= limit) return text.length
  let line = -1
  let sentence = -1
  let blank = -1
  for (let at = limit - 1; at >= limit - LOOK_BACK; at -= 1) {
    const sign = text.charAt(at)
    const before = text.charAt(at - 1)
    if (sign === '\n' && before === '\n') return at
    if (sign === '\n') line = at
    else if (sentence < 0 && /\s/.test(sign) && before === '.') sentence = at
    else if (blank < 0 && /\s/.test(sign)) blank = at
  }
  return [line, sentence, blank].find((at) => at >= 0) ?? limit
}
