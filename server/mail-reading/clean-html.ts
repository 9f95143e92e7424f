import { withoutDirections } from './clean-text.ts'
import {
  type Attributes,
  bodyAttributes,
  linkAttributes,
  pictureAttributes,
  plainAttributes,
  REMOTE_PICTURE,
} from './html-attributes.ts'
import { DROPPED, ELEMENTS, RENAMED, VOID_ELEMENTS } from './html-elements.ts'
import { NO_QUOTES, type Quotes } from './html-quotes.ts'
import { readStyleRules, type StyleRules } from './html-stylesheets.ts'
import { attributeOf, childOf, isElement, isHtml, isText, type Tree, walk } from './html-tree.ts'
import { type PicturesOfMail, picturesOfMail } from './pictures.ts'

type CleanedHtml = {
  html: string
  hasRemoteImages: boolean
  /** There was more of it than is kept. */
  isCut: boolean
}

/** Beside pictures. Mail programs cut long mails at a tenth of this. */
const HTML_MAX = 2_000_000
/** Browsers nest no deeper than 512, and fifty tables inside each other are deep. Below it only text and pictures stay. */
const DEPTH_MAX = 200
const FOLDED = '<details><summary>Quoted text</summary>'

type Options = { quotes?: Quotes; pictures?: PicturesOfMail }

/**
 * The body of a mail as HTML that cannot do anything: written anew from the tree, with what the tables name and nothing
 * else. Whatever a browser reads from the result is one of those elements, or text.
 */
export function cleanHtml(document: Tree.Document, options: Options = {}): CleanedHtml {
  const root = childOf(document, 'html')
  const body = root && childOf(root, 'body')
  if (!body) return { html: '', hasRemoteImages: false, isCut: false }
  const { quotes = NO_QUOTES, pictures = picturesOfMail(new Map()) } = options
  const rules = readStyleRules(styleSheets(document))
  const page = createPage()
  /** The end tags of what is open; empty for what was not written. */
  const ends: string[] = []
  let links = 0
  let isCut = false
  page.open('div', bodyAttributes(root, body, rules))
  walk(body, {
    enter(node) {
      if (quotes.opens.has(node)) page.fold()
      isCut ||= page.isFull()
      const end = isCut ? null : enterNode(node)
      if (end === null) {
        if (quotes.closes.has(node)) page.unfold()
        return false
      }
      ends.push(end)
      return true
    },
    leave(element) {
      page.close(ends.pop() ?? '')
      if (element.tagName === 'a') links -= 1
      if (quotes.closes.has(element)) page.unfold()
    },
  })

  /** The end tag, where what is inside is to be looked at. */
  function enterNode(node: Tree.ChildNode): string | null {
    // A link that reads backwards shows another address than it has.
    if (isText(node)) page.text(links > 0 ? withoutDirections(node.value) : node.value)
    if (!isElement(node) || !isHtml(node) || DROPPED.has(node.tagName)) return null
    if (attributeOf(node, 'hidden') !== undefined) return null
    const name = RENAMED.get(node.tagName) ?? node.tagName
    if (VOID_ELEMENTS.has(name)) {
      const attributes = attributesOf(node, name, rules, pictures)
      if (attributes) page.open(name, attributes)
      return null
    }
    if (node.tagName === 'a') links += 1
    const isWritten = ELEMENTS.has(name) && ends.length < DEPTH_MAX
    return isWritten ? page.open(name, attributesOf(node, name, rules, pictures) ?? []) : ''
  }

  return { html: page.html(), hasRemoteImages: page.hasRemoteImages(), isCut }
}

function attributesOf(
  element: Tree.Element,
  name: string,
  rules: StyleRules,
  pictures: PicturesOfMail,
): Attributes | null {
  const plain = plainAttributes(element, name, rules)
  if (name === 'a') return [...plain, ...linkAttributes(element)]
  if (name !== 'img') return plain
  const source = pictureAttributes(element, pictures, rules)
  return source && [...plain, ...source]
}

function styleSheets(document: Tree.Document): string[] {
  const sheets: string[] = []
  walk(document, {
    enter(node) {
      if (!isElement(node) || !isHtml(node)) return false
      if (node.tagName === 'style')
        sheets.push(
          node.childNodes
            .filter(isText)
            .map(({ value }) => value)
            .join(''),
        )
      return node.tagName !== 'style'
    },
    leave() {},
  })
  return sheets
}

/** The HTML as it grows. Quotes are written as entities everywhere, so that nothing in a text looks like an attribute. */
function createPage() {
  const pieces: string[] = []
  let length = 0
  let folds = 0
  let hasRemote = false
  return {
    isFull: () => length > HTML_MAX,
    hasRemoteImages: () => hasRemote,
    html: () => `${pieces.join('')}</div>`,
    open(name: string, attributes: Attributes): string {
      const written = attributes.map(([attribute, value]) => {
        const piece = ` ${attribute}="${escaped(value)}"`
        hasRemote ||= attribute === REMOTE_PICTURE
        // Pictures have a bound of their own.
        length += attribute === 'src' ? 0 : piece.length
        return piece
      })
      length += name.length
      pieces.push(`<${name}${written.join('')}>`)
      return `</${name}>`
    },
    text(value: string): void {
      const piece = escaped(value)
      length += piece.length
      pieces.push(piece)
    },
    close(end: string): void {
      pieces.push(end)
    },
    fold(): void {
      folds += 1
      pieces.push(FOLDED)
    },
    unfold(): void {
      if (folds === 0) return
      folds -= 1
      pieces.push('</details>')
    },
  }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
