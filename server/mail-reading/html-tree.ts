import { defaultTreeAdapter, html as names, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'

export type { Tree }

/** Ten times what the longest newsletters and threads have. */
const ELEMENTS_MAX = 100_000
/** Browsers stop at 512; more than this is no letter. */
const DEPTH_MAX = 15_000

export class TooComplex extends Error {}

/** The tree that a browser builds. Throws `TooComplex`. */
export function parseHtml(html: string): Tree.Document {
  let elements = 0
  let depth = 0
  return parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement(...args) {
        elements += 1
        if (elements > ELEMENTS_MAX) throw new TooComplex('too many elements')
        return defaultTreeAdapter.createElement(...args)
      },
      onItemPush() {
        depth += 1
        if (depth > DEPTH_MAX) throw new TooComplex('elements nested too deep')
      },
      onItemPop() {
        depth -= 1
      },
    },
  })
}

export const isElement = (node: Tree.Node): node is Tree.Element => 'tagName' in node
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === '#text'
export const isHtml = (element: Tree.Element): boolean => element.namespaceURI === names.NS.HTML

export const attributeOf = (element: Tree.Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value

export const classesOf = (element: Tree.Element): string[] =>
  (attributeOf(element, 'class') ?? '').slice(0, 500).split(/\s+/).filter(Boolean).slice(0, 12)

export function childOf(parent: Tree.ParentNode, tagName: string): Tree.Element | undefined {
  return parent.childNodes.filter(isElement).find((child) => child.tagName === tagName)
}

type Walker = {
  /** False: nothing inside it is looked at, and it is not left either. */
  enter(node: Tree.ChildNode): boolean
  leave(element: Tree.Element): void
}

/** In the order of the document, without recursion: a mail may be nested deeper than the stack. */
export function walk(root: Tree.ParentNode, { enter, leave }: Walker): void {
  const open: { element: Tree.Element | null; children: Tree.ChildNode[]; at: number }[] = [
    { element: null, children: root.childNodes, at: 0 },
  ]
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const node = top.children[top.at]
    if (node === undefined) {
      open.pop()
      if (top.element) leave(top.element)
      continue
    }
    top.at += 1
    if (enter(node) && isElement(node)) open.push({ element: node, children: node.childNodes, at: 0 })
  }
}
