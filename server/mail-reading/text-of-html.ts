import { DROPPED } from './html-elements.ts'
import { NO_QUOTES, type Quotes } from './html-quotes.ts'
import { attributeOf, classesOf, isElement, isHtml, isText, type Tree, walk } from './html-tree.ts'

const TEXT_MAX = 500_000
const QUOTES_MAX = 20
const BLOCKS = new Set(
  'address article aside blockquote body caption center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)
/** With an empty line around them. */
const APART = new Set(['blockquote', 'h1', 'h2', 'h3', 'p', 'pre', 'table', 'ul', 'ol'])
const HIDDEN =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px)?\s*(?:;|$|!)|max-height\s*:\s*0)/i

/** What a person reads in it, a line for each block. `without` names what is left out. */
export function textOfHtml(body: Tree.Element, without: Quotes = NO_QUOTES): string {
  const lines = new Lines()
  let leftOut = 0
  walk(body, {
    enter(node) {
      if (without.opens.has(node)) leftOut += 1
      const isRead = leftOut === 0 && lines.hasRoom() && enterNode(node, lines)
      // A node that is not entered is not left either.
      if (!(isRead && isElement(node)) && without.closes.has(node)) leftOut -= 1
      return isRead
    },
    leave(element) {
      if (without.closes.has(element)) leftOut -= 1
      if (BLOCKS.has(element.tagName)) lines.end(APART.has(element.tagName) ? 2 : 1)
      else if (element.tagName === 'td' || element.tagName === 'th') lines.add(' ')
      if (element.tagName === 'pre') lines.preformatted -= 1
      if (isQuotation(element)) lines.quotes -= 1
    },
  })
  return lines.text()
}

function enterNode(node: Tree.ChildNode, lines: Lines): boolean {
  if (isText(node)) {
    lines.add(node.value)
    return false
  }
  if (!isElement(node) || !isHtml(node) || DROPPED.has(node.tagName) || isHidden(node)) return false
  if (node.tagName === 'br') lines.end(1, true)
  if (BLOCKS.has(node.tagName)) lines.end(APART.has(node.tagName) ? 2 : 1)
  if (node.tagName === 'li') lines.add('- ')
  if (node.tagName === 'pre') lines.preformatted += 1
  if (isQuotation(node)) lines.quotes += 1
  return true
}

/** What somebody else wrote; a `blockquote` alone is also used to indent. */
const isQuotation = (element: Tree.Element): boolean =>
  element.tagName === 'blockquote' &&
  (attributeOf(element, 'type')?.toLowerCase() === 'cite' || classesOf(element).includes('gmail_quote'))

const isHidden = (element: Tree.Element): boolean =>
  element.attrs.some(
    ({ name, value }) => name === 'hidden' || (name === 'style' && HIDDEN.test(value.slice(0, 4_000))),
  )

/** What its pictures say: for a mail that is nothing else. */
export function pictureWords(body: Tree.Element): string {
  const words: string[] = []
  walk(body, {
    enter(node) {
      if (isElement(node) && node.tagName === 'img')
        words.push((attributeOf(node, 'alt') ?? '').slice(0, 500))
      return isElement(node) && !DROPPED.has(node.tagName) && words.length < 100
    },
    leave() {},
  })
  return words.filter((word) => word.trim() !== '').join('\n')
}

/** Gathers text as a browser would break it: blanks melt, blocks begin and end lines. */
class Lines {
  preformatted = 0
  /** How deep in quotations, which are marked by `>` as in plain text. */
  quotes = 0
  private readonly lines: string[] = []
  private pieces: string[] = []
  private endsBlank = true
  private length = 0

  hasRoom(): boolean {
    return this.length < TEXT_MAX
  }

  add(text: string): void {
    const melted = this.preformatted > 0 ? text : text.replace(/[\s\u00a0]+/g, ' ')
    const value = this.endsBlank && this.preformatted === 0 ? melted.replace(/^ /, '') : melted
    if (value === '') return
    this.pieces.push(value)
    this.endsBlank = value.endsWith(' ')
    this.length += value.length
  }

  /** `count` 2 leaves an empty line; a line break that was written counts also where nothing stands before it. */
  end(count: number, isWritten = false): void {
    const line = this.pieces.join('').trimEnd()
    this.pieces = []
    this.endsBlank = true
    const mark = '>'.repeat(Math.min(this.quotes, QUOTES_MAX))
    if (line !== '' || isWritten)
      this.lines.push(mark === '' ? line : line.replace(/^/gm, `${mark} `).trimEnd())
    if (count === 2 && this.lines.at(-1) !== mark) this.lines.push(mark)
  }

  text(): string {
    this.end(1)
    const isQuoted = (place: number) => this.lines[place]?.startsWith('>')
    return this.lines
      .filter((line, place) => !/^>+$/.test(line) || (isQuoted(place - 1) && isQuoted(place + 1)))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
      .slice(0, TEXT_MAX)
  }
}
