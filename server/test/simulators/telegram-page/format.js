// From a text and its entities to nodes. Nothing is ever read as HTML: what stands in a message stays text.

const ELEMENTS = {
  bold: 'b',
  italic: 'i',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  expandable_blockquote: 'blockquote',
}

/** @returns {(Node | string)[]} of the part of `text` between `from` and `to` */
export function format(text, entities, from = 0, to = text.length) {
  const nodes = []
  let at = from
  for (const [index, entity] of entities.entries()) {
    const end = entity.offset + entity.length
    if (entity.offset < at || end > to) continue
    nodes.push(text.slice(at, entity.offset))
    const element = elementOf(entity)
    element.append(...format(text, entities.slice(index + 1), entity.offset, end))
    nodes.push(element)
    at = end
  }
  return [...nodes, text.slice(at, to)]
}

function elementOf({ type, url }) {
  if (type === 'text_link' && /^https?:/i.test(url)) return link(url)
  const element = document.createElement(ELEMENTS[type] ?? 'span')
  if (type === 'spoiler') element.className = 'spoiler'
  return element
}

export function link(url, className = '') {
  const element = document.createElement('a')
  element.href = url
  element.target = '_blank'
  element.rel = 'noopener noreferrer'
  element.className = className
  return element
}
