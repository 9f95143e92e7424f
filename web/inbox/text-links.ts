/** A piece of a text: words, or a link whose words are its address. */
export type TextPiece = { text: string; href: string | null; host: string | null }

const LINK =
  /\bhttps?:\/\/[^\s<>"`\\^{|}]+|\bmailto:[^\s<>"`\\^{|}]+@[^\s<>"`\\^{|}]+|(?<![\w.@/-])www\.[^\s<>"`./]+\.[^\s<>"`]+|(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N}.!#$%&'*+/=?_~-]{0,63}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/giu

/** Finds web and mail addresses; nothing else ever becomes a link. */
export function piecesOf(line: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let done = 0
  for (const { 0: found, index } of line.matchAll(LINK)) {
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

/** Without the punctuation of the sentence, and without a bracket that was opened before the link. */
function withoutTail(link: string): string {
  const bare = link.replace(/[.,:;!?'*_~…]+$/, '')
  const last = bare.at(-1) ?? ''
  const opening = { ')': '(', ']': '[' }[last]
  if (opening === undefined || bare.split(opening).length >= bare.split(last).length) return bare
  return withoutTail(bare.slice(0, -1))
}
