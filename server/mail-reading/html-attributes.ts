import { oneLine } from './clean-text.ts'
import { linkAddress, remotePicture } from './html-addresses.ts'
import { ELEMENTS, EVERYWHERE } from './html-elements.ts'
import { type Declaration, readDeclarations, styleText } from './html-styles.ts'
import type { StyleRules } from './html-stylesheets.ts'
import { attributeOf, classesOf, type Tree } from './html-tree.ts'
import { contentId, type PicturesOfMail, pictureInAddress } from './pictures.ts'

export type Attributes = [name: string, value: string][]

/** What an element may carry, each value proven by its pattern. `style` holds what the sheets say about it as well. */
export function plainAttributes(element: Tree.Element, name: string, rules: StyleRules): Attributes {
  const own = ELEMENTS.get(name)
  const kept = element.attrs.flatMap((attribute): Attributes => {
    const pattern = own?.get(attribute.name) ?? EVERYWHERE.get(attribute.name)
    // On a link it would be read as where the link leads.
    if (!pattern?.test(attribute.value) || (name === 'a' && attribute.name === 'title')) return []
    return [[attribute.name, oneLine(attribute.value, 1_000)]]
  })
  const style = styleText(stylesOf(element, rules))
  return style === '' ? kept : [...kept, ['style', style]]
}

function stylesOf(element: Tree.Element, rules: StyleRules): Declaration[] {
  const own = attributeOf(element, 'style')
  const said = rules.of(element.tagName, classesOf(element))
  return own === undefined ? said : [...said, ...readDeclarations(own)]
}

/** The body becomes a block of its own, which says what page and body said of all: direction, language, colours. */
export function bodyAttributes(page: Tree.Element, body: Tree.Element, rules: StyleRules): Attributes {
  const kept = ['dir', 'lang'].flatMap((name): Attributes => {
    const value = attributeOf(body, name) ?? attributeOf(page, name) ?? ''
    return EVERYWHERE.get(name)?.test(value) ? [[name, value]] : []
  })
  const colors = readDeclarations(
    `background-color:${attributeOf(body, 'bgcolor') ?? ''};color:${attributeOf(body, 'text') ?? ''}`,
  )
  const style = styleText([...colors, ...stylesOf(body, rules)])
  return style === '' ? kept : [...kept, ['style', style]]
}

export function linkAttributes(element: Tree.Element): Attributes {
  const address = linkAddress(attributeOf(element, 'href') ?? '')
  if (address === null) return []
  return [
    ['href', address],
    ['target', '_blank'],
    ['rel', 'noopener noreferrer nofollow'],
  ]
}

/** The name under which a picture on somebody's server waits until it is asked for. */
export const REMOTE_PICTURE = 'data-remote-src'

/** Where a picture comes from; null where there is nothing to see, as in those that only tell that a mail was opened. */
export function pictureAttributes(
  element: Tree.Element,
  pictures: PicturesOfMail,
  rules: StyleRules,
): Attributes | null {
  const src = (attributeOf(element, 'src') ?? '').trim()
  const remote = remotePicture(src)
  if (remote !== null) return isTracker(element, stylesOf(element, rules)) ? null : [[REMOTE_PICTURE, remote]]
  const inMail = /^cid:/i.test(src) ? pictures.byId(contentId(src.slice(4))) : null
  if (inMail !== null) return [['src', inMail]]
  const bytes = pictureInAddress(src)
  const embedded = bytes && pictures.embedded(bytes)
  if (embedded) return [['src', embedded]]
  // A picture that is not to be had is still known by what it says.
  return attributeOf(element, 'alt')?.trim() ? [] : null
}

/** One point large, or hidden. A line one point high that is wide is a line. */
function isTracker(element: Tree.Element, styles: Declaration[]): boolean {
  const said = new Map(styles)
  if (said.get('display') === 'none' || said.get('visibility') === 'hidden') return true
  const [width, height] = ['width', 'height'].map((side) => {
    const points = Number.parseFloat(said.get(side) ?? attributeOf(element, side) ?? '')
    return Number.isNaN(points) ? null : points
  })
  const isPoint = (points: number | null | undefined): boolean => points != null && points <= 1
  return isPoint(width) ? isPoint(height) || height === null : isPoint(height) && width === null
}
