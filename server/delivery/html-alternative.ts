import { escapeHtml } from '../platform/escape-html.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import { MAIL_STYLES } from './mail-styles.ts'

const BODY_STYLE = 'margin:0;padding:16px'
const TEXT_STYLE =
  'max-width:640px;overflow-wrap:break-word;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

const QUOTE_STYLE = 'margin:0;padding:0 0 0 12px;border-left:2px solid #8a8a8a'
const FOOTER_STYLE = 'margin:32px 0 0;font-size:13px;opacity:.75'

/** What a campaign's mail carries besides the text. */
type Extras = {
  /** Where people say that they want no more. */
  unsubscribeUrl?: string | undefined
  /** A picture that nobody sees; whoever shows the mail fetches it. */
  pixelUrl?: string | undefined
  /** A reply: lines that begin with `>` are the words of another. */
  hasQuote?: boolean
}

/**
 * A plain text as an HTML document that looks as the text was typed: its paragraphs, lines and spaces, with links where
 * addresses stand. There is no language on it, because nobody told us which; each paragraph finds its own direction.
 */
export function htmlOf(text: string, { unsubscribeUrl, pixelUrl, hasQuote = false }: Extras = {}): string {
  // Before the text: some programs cut a long mail off, and fetch nothing of what is behind the cut.
  const pixel = pixelUrl
    ? `<img src="${escapeHtml(pixelUrl)}" width="1" height="1" alt="" style="display:block;border:0">\n`
    : ''
  const footer = unsubscribeUrl
    ? `\n<p style="${FOOTER_STYLE}"><a href="${escapeHtml(unsubscribeUrl)}" style="color:inherit">Unsubscribe</a></p>`
    : ''
  return `<!doctype html>
<html style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
${pixelUrl ? MAIL_STYLES : ''}</head>
<body style="${BODY_STYLE}">
${pixel}<div style="${TEXT_STYLE}">
${(hasQuote ? quotedOf(text) : paragraphsOf(text)).join('\n')}${footer}
</div>
</body>
</html>
`
}

/** As mail programs know it, who fold a quotation away by these signs. */
const QUOTE = `<blockquote type="cite" style="${QUOTE_STYLE}">`
/** Deeper quotations are shown with their signs: somebody could write a thousand of them. */
const DEPTH_MAX = 8

/** What is quoted stands in as many blocks as it has signs before it, however it was typed (`> >` and `>>`). */
function quotedOf(text: string, depth = 0): string[] {
  const blocks: { isQuoted: boolean; lines: string[] }[] = []
  for (const line of text.split(LINE_BREAK)) {
    const isQuoted = depth < DEPTH_MAX && line.startsWith('>')
    const last = blocks.at(-1)
    const own = isQuoted ? line.replace(/^> ?/, '') : line
    if (last?.isQuoted === isQuoted) last.lines.push(own)
    else blocks.push({ isQuoted, lines: [own] })
  }
  return blocks.flatMap(({ isQuoted, lines }) =>
    isQuoted
      ? [QUOTE, ...quotedOf(lines.join('\n'), depth + 1), '</blockquote>']
      : paragraphsOf(lines.join('\n')),
  )
}

const LINE_BREAK = /\r\n|\r|\n/

function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  let lines: string[] = []
  let blanks = 0
  const close = (): void => {
    if (lines.length > 0) paragraphs.push(`<p dir="auto">${lines.join('<br>\n')}</p>`)
    lines = []
  }
  for (const line of text.split(LINE_BREAK)) {
    if (line.trim() === '') {
      close()
      blanks++
      continue
    }
    // One empty line is the gap between paragraphs; more of them were meant as more.
    if (lines.length === 0 && paragraphs.length > 0) for (let more = 1; more < blanks; more++) lines.push('')
    blanks = 0
    lines.push(linked(withSpaces(line)))
  }
  close()
  return paragraphs
}

/**
 * Spaces that HTML would swallow become unbreakable ones, every other of a run, so that a line can still be broken
 * there. A tab is four of them.
 */
const withSpaces = (line: string): string =>
  line
    .replaceAll('\t', '    ')
    .trimEnd()
    .replace(/^ +| {2,}/g, (run, at: number) => {
      const pairs = '\u00a0 '.repeat(run.length >> 1)
      return run.length % 2 === 0 ? pairs : at === 0 ? `\u00a0${pairs}` : ` ${pairs}`
    })

/** Where a link may begin, in one pass over the line. */
const BEGINNING = /(?<!\w)https?:\/\/|(?<![\w.@/-])www\.|@/gi
/** Blanks, brackets and quotation marks of all scripts, and the punctuation of scripts that write no spaces. */
const LINK_RUN =
  /[^\s<>"`\u00ab\u00bb\u2018-\u201f\u2039\u203a\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*/y

/** The line escaped, with its links. Every sign is looked at a bounded number of times, whatever stands there. */
function linked(line: string): string {
  let html = ''
  let done = 0
  BEGINNING.lastIndex = 0
  for (let found = BEGINNING.exec(line); found; found = BEGINNING.exec(line)) {
    const span = found[0] === '@' ? mailSpan(line, found.index, done) : webSpan(line, found.index)
    if (span.href !== null) {
      const shown = line.slice(span.start, span.end)
      html += `${escaped(line.slice(done, span.start))}<a href="${escapeHtml(span.href)}">${escaped(shown)}</a>`
      done = span.end
    }
    BEGINNING.lastIndex = span.end
  }
  return html + escaped(line.slice(done))
}

const escaped = (text: string): string => escapeHtml(text).replaceAll('\u00a0', '&nbsp;')

/** `end` is where to look on, also where there is no link. */
type Span = { start: number; end: number; href: string | null }

/** Longer than any link that a mail program would follow. */
const LINK_MAX = 4_096
const HOST =
  /^(?:https?:\/\/)?[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._-]*[\p{L}\p{N}\p{M}])?(?::\d{1,5})?(?:[/?#]|$)/iu
/** Scripts without spaces: what follows `example.com` directly is the sentence again. */
const SPACELESS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const HOST_BEFORE_SENTENCE = new RegExp(`^(?:https?://)?[a-z0-9.-]+\\.[a-z]{2,}(?=[${SPACELESS}])`, 'iu')

function webSpan(line: string, start: number): Span {
  LINK_RUN.lastIndex = start
  const run = LINK_RUN.exec(line)?.[0] ?? ''
  if (run.length > LINK_MAX) return { start, end: start + run.length, href: null }
  const typed = HOST_BEFORE_SENTENCE.exec(run)?.[0] ?? withoutTail(run)
  const isBare = !/^h/i.test(run)
  const isLink = HOST.test(typed) && (!isBare || /^www\.[^./?#:]+\.[^./?#:]/i.test(typed))
  return {
    start,
    end: start + (isLink ? typed : run).length,
    href: isLink ? hrefOf(isBare ? `http://${typed}` : typed) : null,
  }
}

/** As typed; in other scripts encoded, which every mail program can follow. */
const hrefOf = (link: string): string | null =>
  /^[!-~]*$/.test(link) ? link : (URL.parse(link)?.href ?? null)

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Without the punctuation of the sentence, and without brackets that were opened before the link or never closed. */
function withoutTail(link: string): string {
  const open = new Map<string, number>()
  for (const sign of link) {
    const opening = OPENING[sign]
    if (opening !== undefined) open.set(opening, (open.get(opening) ?? 0) - 1)
    else if ('([{'.includes(sign)) open.set(sign, (open.get(sign) ?? 0) + 1)
  }
  let end = link.length
  for (; end > 0; end--) {
    const sign = link.charAt(end - 1)
    const opening = OPENING[sign]
    if (opening !== undefined) {
      const balance = open.get(opening) ?? 0
      if (balance >= 0) break
      open.set(opening, balance + 1)
    } else if ('([{'.includes(sign)) open.set(sign, (open.get(sign) ?? 0) - 1)
    else if (!".,:;!?'*_~…".includes(sign)) break
  }
  return link.slice(0, end)
}

const DOMAIN_MAX = 253
/** The same that an address allows, without the scripts whose sentence would run into it. */
const LOCAL_SIGN = new RegExp(`^(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_\`{|}~-]$`, 'u')
const DOMAIN_RUN = new RegExp(`(?:(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}.-]){0,${DOMAIN_MAX + 1}}`, 'uy')

function mailSpan(line: string, at: number, from: number): Span {
  let start = at
  while (start > from && LOCAL_SIGN.test(line.charAt(start - 1))) start--
  while (start < at && !/^[\p{L}\p{N}]$/u.test(line.charAt(start))) start++
  DOMAIN_RUN.lastIndex = at + 1
  const domain = (DOMAIN_RUN.exec(line)?.[0] ?? '').replace(/[.-]{1,9}$/, '')
  const end = at + 1 + domain.length
  // Without a dot it is somebody's name in a chat; beside a second @ it is no address at all.
  const isOne =
    start < at && domain.includes('.') && line.charAt(end) !== '@' && line.charAt(start - 1) !== '@'
  const mailbox = isOne ? parseMailAddress(line.slice(start, end)) : null
  if (!mailbox) return { start, end: at + 1, href: null }
  const local = mailbox.address.slice(0, mailbox.address.lastIndexOf('@'))
  return {
    start,
    end,
    href: `mailto:${encodeURIComponent(local)}${mailbox.key.slice(mailbox.key.lastIndexOf('@'))}`,
  }
}
