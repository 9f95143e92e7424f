import type { Entity, Formatted } from './telegram-format.ts'

const TAG_OF: Readonly<Record<string, string>> = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  spoiler: 'tg-spoiler',
  code: 'code',
  pre: 'pre',
  text_link: 'a',
  blockquote: 'blockquote',
  expandable_blockquote: 'blockquote',
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A text with its format visible, in the tags that Telegram reads: for tests and for the page. */
export function toHtml({ text, entities }: Formatted): string {
  const shown = entities.filter(({ type }) => type in TAG_OF)
  let html = ''
  for (let at = 0; at <= text.length; at += 1) {
    // Inner ones end first; they stand later in the list.
    for (const entity of shown.toReversed())
      if (entity.length > 0 && entity.offset + entity.length === at) html += endOf(entity)
    for (const entity of shown) if (entity.offset === at) html += startOf(entity)
    html += escaped(text[at] ?? '')
  }
  return html
}

function startOf({ type, url, language }: Entity): string {
  if (type === 'text_link') return `<a href="${escaped(url ?? '')}">`
  if (type === 'expandable_blockquote') return '<blockquote expandable>'
  if (type === 'pre' && language !== undefined) return `<pre><code class="language-${escaped(language)}">`
  return `<${TAG_OF[type]}>`
}

const endOf = ({ type, language }: Entity): string =>
  type === 'pre' && language !== undefined ? '</code></pre>' : `</${TAG_OF[type]}>`
