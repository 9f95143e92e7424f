/** A piece of a text: words, or a link whose words are its address. */
type TextPiece = { text: string; href: string | null; host: string | null }

const LINK =
  /\bhttps?:\/\/[^\s<>"`\\^{|}]+|\bmailto:[^\s<>"`\\^{|}@]{1,320}@[^\s<>"`\\^{|}]+|(?<![\w.@/-])www\.[^\s<>"`./]+\.[^\s<>"`]+|(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N}.!#$%&'*+/=?_~-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu

/** Longer than any link that somebody would follow. */
const LINK_MAX = 4_096

/**
 * Finds web and mail addresses; nothing else ever becomes a link. Strangers choose the line: every sign is looked at a
 * bounded number of times, whatever stands there.
 */
export function piecesOf(line: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let done = 0
  for (const { 0: found, index } of line.matchAll(LINK)) {
    if (found.length > LINK_MAX) continue
    const text = withoutTail(found)
    const target = targetOf(text)
    if (!target) continue
    if (index > done) pieces.push({ text: line.slice(done, index), href: null, host: null })
    pieces.push({ text, href: target.href, host: foreignHostOf(target) })
    done = index + text.length
  }
  if (done < line.length) pieces.push({ text: line.slice(done), href: null, host: null })
  return pieces
}

const SAFE = new Set(['http:', 'https:', 'mailto:'])

function targetOf(link: string): URL | null {
  const isComplete = /^(?:https?|mailto):/i.test(link)
  const isMail = link.includes('@') && !/^www\./i.test(link)
  const address = isComplete ? link : isMail ? `mailto:${link}` : `https://${link}`
  const target = URL.canParse(address) ? new URL(address) : null
  return target && SAFE.has(target.protocol) ? target : null
}

/** The real name of a host with letters that may look like others; null where what is written is what it is. */
const foreignHostOf = ({ hostname }: URL): string | null =>
  hostname.split('.').some((label) => label.startsWith('xn--')) ? hostname : null

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[' }

/** Without the punctuation of the sentence, and without brackets that were opened before the link. */
function withoutTail(link: string): string {
  /** By closing bracket, how many more are closed than opened. */
  const surplus = new Map(
    Object.entries(OPENING).map(([closing, opening]) => [
      closing,
      link.split(closing).length - link.split(opening).length,
    ]),
  )
  let end = link.length
  for (; end > 0; end--) {
    const sign = link.charAt(end - 1)
    const more = surplus.get(sign)
    if (more === undefined ? !".,:;!?'*_~…".includes(sign) : more <= 0) break
    if (more !== undefined) surplus.set(sign, more - 1)
  }
  return link.slice(0, end)
}
