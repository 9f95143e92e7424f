/*
  How a plain text looks as the mail's HTML: its paragraphs, lines and spaces as typed, with links where addresses
  stand. The server makes the HTML that is sent (server/delivery/html-alternative.ts); this is a smaller likeness of it
  for the preview, of the same kinds: http and https, www, and mail addresses.
*/

const STYLE = `
  :root { color-scheme: light dark }
  body { margin: 0; padding: 16px }
  div { max-width: 640px; overflow-wrap: break-word; font: 16px/1.5 system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif }
`

/** A whole document. `nonce` is the page's own: the frame is under the same policy. */
export function mailHtmlOf(text: string, nonce: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Email</title>
<style nonce="${escaped(nonce)}">${STYLE}</style>
</head>
<body><div>${paragraphsOf(text)}</div></body>
</html>`
}

export function paragraphsOf(text: string): string {
  const paragraphs: string[] = []
  let lines: string[] = []
  let blanks = 0
  const close = () => {
    if (lines.length > 0) paragraphs.push(`<p dir="auto">${lines.join('<br>')}</p>`)
    lines = []
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      close()
      blanks += 1
      continue
    }
    // One empty line parts two paragraphs; more of them were meant as more.
    if (lines.length === 0 && paragraphs.length > 0) for (let more = 1; more < blanks; more++) lines.push('')
    blanks = 0
    lines.push(linked(line.replaceAll('\t', '    ').trimEnd()))
  }
  close()
  return paragraphs.join('\n')
}

const LINK =
  /\bhttps?:\/\/[^\s<>"`]+|(?<![\w.@/-])www\.[^\s<>"`./]+\.[^\s<>"`]+|[\p{L}\p{N}][\p{L}\p{M}\p{N}.!#$%&'*+/=?^_{|}~-]*@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu

function linked(line: string): string {
  let html = ''
  let done = 0
  for (const { 0: found, index } of line.matchAll(LINK)) {
    const link = withoutTail(found)
    html += `${spaced(line.slice(done, index))}<a target="_blank" rel="noreferrer" href="${escaped(hrefOf(link))}">${spaced(link)}</a>`
    done = index + link.length
  }
  return html + spaced(line.slice(done))
}

function hrefOf(link: string): string {
  if (/^https?:/i.test(link)) return link
  return link.includes('@') && !/^www\./i.test(link) ? `mailto:${link}` : `http://${link}`
}

/** Without the punctuation of the sentence, and without a bracket that was opened before the link. */
function withoutTail(link: string): string {
  const bare = link.replace(/[.,:;!?'*_~…]+$/, '')
  const last = bare.at(-1) ?? ''
  const opening = { ')': '(', ']': '[', '}': '{' }[last]
  if (opening === undefined || bare.split(opening).length >= bare.split(last).length) return bare
  return withoutTail(bare.slice(0, -1))
}

/** HTML would swallow these spaces. */
const spaced = (text: string): string =>
  escaped(text).replace(/^ | {2}/g, (run) => (run.length === 1 ? '&nbsp;' : '&nbsp; '))

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
