import { parse, parseFragment, serialize } from 'parse5'
import { attributeOf, isElement, isHtml, isText, type Tree, walk } from '../html-tree.ts'

/** What may be in shown mail, said once more and apart from the tables by which it is made. */
const ELEMENTS = new Set(
  'a abbr acronym address article aside b bdi big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(
  'abbr align alt bgcolor border bordercolor cellpadding cellspacing clear color colspan compact data-remote-src dir face frame height href hspace lang noshade nowrap rel reversed role rowspan rules scope size span src start style summary target title type valign value vspace width'.split(
    ' ',
  ),
)
const STYLE =
  /^(?:(?:[a-z-]+):(?:[\w #%.,+/'"\u0080-\u{10ffff}-]|(?:rgba?|hsla?)\([\d\s.,%/a-z]+\))+(?:;|$))+$/iu
const NO_PROPERTY =
  /(?:^|;)(?:-|position|top|left|inset|z-index|transform|translate|content|cursor|filter|behavior|animation|background(?!-color)|list-style-image|src|unicode-bidi|zoom|opacity)/i

/** Everything in the HTML that has no business there, by every way in which a browser might read it. */
export function harmIn(html: string): string[] {
  const inPage = parse(`<!doctype html><html><head></head><body>${html}</body></html>`)
  const asFragment = parseFragment(html, { scriptingEnabled: false })
  const again = parse(serialize(inPage))
  const body = (page: Tree.Document): Tree.ParentNode => {
    const root = page.childNodes.filter(isElement)[0]
    return root?.childNodes.filter(isElement).find(({ tagName }) => tagName === 'body') ?? page
  }
  return [body(inPage), asFragment, body(again)].flatMap(harmInTree)
}

function harmInTree(tree: Tree.ParentNode): string[] {
  const found: string[] = []
  walk(tree, {
    enter(node) {
      if (isText(node)) return false
      if (!isElement(node)) {
        found.push(node.nodeName)
        return false
      }
      if (!isHtml(node) || !ELEMENTS.has(node.tagName)) found.push(`<${node.tagName}>`)
      found.push(
        ...node.attrs.filter((one) => isHarmful(node, one)).map(({ name, value }) => `${name}=${value}`),
      )
      return true
    },
    leave() {},
  })
  return found
}

function isHarmful(element: Tree.Element, { name, value }: { name: string; value: string }): boolean {
  if (!ATTRIBUTES.has(name)) return true
  if (name === 'href')
    return element.tagName !== 'a' || !/^(?:https?:\/\/|mailto:|tel:)/.test(value) || !opensApart(element)
  if (name === 'src')
    return (
      element.tagName !== 'img' || !/^data:image\/(?:png|jpeg|gif|webp|avif);base64,[\w+/=]+$/.test(value)
    )
  if (name === 'data-remote-src') return element.tagName !== 'img' || !/^https?:\/\//.test(value)
  if (name === 'style') return !STYLE.test(value) || NO_PROPERTY.test(value)
  return false
}

const opensApart = (link: Tree.Element): boolean =>
  attributeOf(link, 'target') === '_blank' && attributeOf(link, 'rel') === 'noopener noreferrer nofollow'
