import { DROPPED, TABLE_PARTS } from './html-elements.ts'
import { attributeOf, classesOf, isElement, isText, type Tree, walk } from './html-tree.ts'
import { isAttribution, isForwardMark, isFromLine, isOriginalMark } from './quote-marks.ts'

/** What is quoted, as stretches of neighbours: from a node that opens one to a sibling that closes it. */
export type Quotes = { opens: ReadonlySet<Tree.ChildNode>; closes: ReadonlySet<Tree.ChildNode> }

export const NO_QUOTES: Quotes = { opens: new Set(), closes: new Set() }

/** How much can be read up to the beginning and the end of a node, in characters. */
type Span = { from: number; to: number }

const QUOTE_CLASSES = new Set([
  'gmail_quote',
  'gmail_quote_container',
  'yahoo_quoted',
  'protonmail_quote',
  'tutanota_quote',
  'zmail_extra',
  'ms-outlook-mobile-reference-message',
])
const QUOTE_IDS =
  /^(?:x_)*(?:yahoo_quoted_\w+|OLK_SRC_BODY_SECTION|mail-editor-reference-message-container|isReplyContent)$/i
/** Where Outlook begins what is answered; all that follows belongs to it. */
const REST_IDS = /^(?:x_)*(?:divRplyFwdMsg|appendonsend|stopSpelling)$/i

/** More are no conversation, but a way to keep us busy. */
const QUOTES_MAX = 200

/** Finds what of a mail is quoted history. Something is always left: a mail that only quotes, or passes on, stays open. */
export function findQuotes(body: Tree.Element): Quotes {
  const { spans, containers, rest, length } = read(body)
  const opens = new Set<Tree.ChildNode>()
  const closes = new Set<Tree.ChildNode>()
  const fold = (first: Tree.ChildNode, last: Tree.ChildNode): void => {
    opens.add(first)
    closes.add(last)
  }
  if (containers.length > QUOTES_MAX) return NO_QUOTES
  if (rest && (spans.get(rest)?.from ?? 0) > 0) {
    const [first, last] = toTheEnd(rest, body, spans)
    if (isFoldable(first)) fold(first, last)
    return { opens, closes }
  }
  const quoted = containers.reduce((sum, { span }) => sum + span.to - span.from, 0)
  let quotedBefore = 0
  for (const { element, span } of containers) {
    const own = span.to - span.from
    const writtenAfter = length - span.to - (quoted - quotedBefore - own)
    // Somebody who answers between the quotes wants both to be read.
    const isBetween = containers.length > 1 && writtenAfter > 0
    const first = isBetween ? element : withAttribution(element, spans)
    const writtenBefore = (spans.get(first)?.from ?? 0) - quotedBefore
    if (!isBetween && writtenBefore + writtenAfter > 0 && isFoldable(first)) fold(first, element)
    quotedBefore += own
  }
  return { opens, closes }
}

type Reading = {
  spans: Map<Tree.ChildNode, Span>
  /** The outermost, in their order. */
  containers: { element: Tree.Element; span: Span }[]
  rest: Tree.ChildNode | null
  length: number
}

function read(body: Tree.Element): Reading {
  const spans = new Map<Tree.ChildNode, Span>()
  const containers: { element: Tree.Element; span: Span }[] = []
  let rest: Tree.ChildNode | null = null
  let inside: Tree.Element | null = null
  let length = 0
  walk(body, {
    enter(node) {
      if (isElement(node) && DROPPED.has(node.tagName)) return false
      const span = { from: length, to: length }
      spans.set(node, span)
      if (isText(node)) {
        length += node.value.replace(/\s+/g, '').length
        span.to = length
        if (!inside && !rest && isOriginalMark(node.value)) rest = node
      } else if (isElement(node)) {
        if (node.tagName === 'img') length += 1
        if (!inside && !rest && isRest(node)) rest = node
        else if (!inside && isQuote(node) && !isForwardMark(beginning(node))) {
          inside = node
          containers.push({ element: node, span })
        }
      }
      return true
    },
    leave(element) {
      const span = spans.get(element)
      if (span) span.to = length
      if (inside === element) inside = null
    },
  })
  return { spans, containers: containers.filter(({ element }) => !hasAnswers(element)), rest, length }
}

function isQuote(element: Tree.Element): boolean {
  if (element.tagName === 'blockquote' && attributeOf(element, 'type')?.toLowerCase() === 'cite') return true
  if (QUOTE_IDS.test(attributeOf(element, 'id') ?? '')) return true
  if (attributeOf(element, 'name') === 'quote') return true
  return classesOf(element).some((name) => QUOTE_CLASSES.has(name))
}

function isRest(element: Tree.Element): boolean {
  if (REST_IDS.test(attributeOf(element, 'id') ?? '')) return true
  const style = attributeOf(element, 'style') ?? ''
  return element.tagName === 'div' && /border-top:\s*solid/i.test(style) && isFromLine(beginning(element))
}

/** In a container with several quotes, words between them are answers: it must not be folded away. */
function hasAnswers(container: Tree.Element): boolean {
  if (container.tagName === 'blockquote') return false
  let depth = 0
  let hasQuote = false
  let isAnswered = false
  walk(container, {
    enter(node) {
      if (isElement(node) && node.tagName === 'blockquote') {
        depth += 1
        hasQuote = true
      }
      if (isText(node) && depth === 0 && hasQuote && node.value.trim() !== '') isAnswered = true
      return true
    },
    leave(element) {
      if (element.tagName === 'blockquote') depth -= 1
    },
  })
  return isAnswered
}

/** The first words in it. */
function beginning(element: Tree.Element): string {
  let text = ''
  walk(element, {
    enter(node) {
      if (isText(node) && text.length < 300) text += node.value.slice(0, 300)
      return text.length < 300
    },
    leave() {},
  })
  return text.replace(/\s+/g, ' ').trim()
}

/** `Ann wrote:` above a quote goes with it. */
function withAttribution(container: Tree.Element, spans: Map<Tree.ChildNode, Span>): Tree.ChildNode {
  const siblings = container.parentNode?.childNodes ?? []
  for (let at = siblings.indexOf(container) - 1; at >= 0; at -= 1) {
    const before = siblings[at]
    const span = before && spans.get(before)
    if (!before || !span) break
    if (span.from === span.to) continue
    const text = isText(before) ? before.value : isElement(before) ? beginning(before) : ''
    const isShort = span.to - span.from < 300
    const isAnnounced = isElement(before) && classesOf(before).includes('moz-cite-prefix')
    return isShort && (isAnnounced || isAttribution(text)) ? before : container
  }
  return container
}

/** From the mark to the last of its neighbours, at the highest level where nothing that was written stands before it. */
function toTheEnd(
  mark: Tree.ChildNode,
  body: Tree.Element,
  spans: Map<Tree.ChildNode, Span>,
): [Tree.ChildNode, Tree.ChildNode] {
  let first = mark
  while (first.parentNode && first.parentNode !== body && isElement(first.parentNode)) {
    const parent = first.parentNode
    if (spans.get(parent)?.from !== spans.get(first)?.from) break
    first = parent
  }
  const siblings = first.parentNode?.childNodes ?? []
  const place = siblings.indexOf(first)
  const ruler = siblings
    .slice(Math.max(0, place - 3), place)
    .find((node) => isElement(node) && node.tagName === 'hr')
  return [ruler ?? first, siblings.at(-1) ?? first]
}

function isFoldable(node: Tree.ChildNode): boolean {
  const parent = node.parentNode
  if (!parent || !isElement(parent)) return false
  const holdsParts = ['table', 'tbody', 'thead', 'tfoot', 'tr', 'colgroup', 'ul', 'ol', 'dl']
  return !holdsParts.includes(parent.tagName) && !(isElement(node) && TABLE_PARTS.has(node.tagName))
}
