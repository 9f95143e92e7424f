import { type Declaration, readDeclarations, withoutComments } from './html-styles.ts'

/** What the style sheets of a mail say about an element, so that it can be written into the element itself. */
export type StyleRules = {
  of(tagName: string, classes: string[]): Declaration[]
}

const CSS_MAX = 300_000
const RULES_MAX = 2_000
/** Written into every element that it means, a rule multiplies; behind this elements keep only their own style. */
const WRITTEN_MAX = 400_000

/** `p`, `.intro`, `p.intro`, `a:link`. Other selectors depend on neighbours, states or screens, and are left out. */
const SELECTOR = /^([a-z][a-z0-9]{0,20})?(?:\.([\w-]{1,60}))?(?::link)?$/i

type Rule = { weight: number; order: number; declarations: Declaration[] }

export function readStyleRules(sheets: string[]): StyleRules {
  const rules = new Map<string, Rule[]>()
  let order = 0
  for (const [prelude, block] of blocksOf(sheets.join('\n').slice(0, CSS_MAX))) {
    if (order > RULES_MAX) break
    const declarations = readDeclarations(block)
    if (declarations.length === 0) continue
    for (const selector of prelude.split(',')) {
      const found = SELECTOR.exec(selector.trim())
      if (!found || found[0] === '' || found[0] === ':link') continue
      const tag = (found[1] ?? '').toLowerCase()
      const name = found[2]
      const key = name === undefined ? tag : `${tag}.${name}`
      const weight = (name === undefined ? 0 : 2) + (tag === '' ? 0 : 1)
      const rule = { weight, order, declarations }
      order += 1
      rules.set(key, [...(rules.get(key) ?? []), rule])
    }
  }
  return appliedBy(rules)
}

function appliedBy(rules: Map<string, Rule[]>): StyleRules {
  let written = 0
  return {
    of(tagName, classes) {
      if (rules.size === 0 || written > WRITTEN_MAX) return []
      const keys = [tagName, ...classes.flatMap((name) => [`.${name}`, `${tagName}.${name}`])]
      const declarations = keys
        .flatMap((key) => rules.get(key) ?? [])
        .sort((one, other) => one.weight - other.weight || one.order - other.order)
        .flatMap((rule) => rule.declarations)
      for (const [property, value] of declarations) written += property.length + value.length
      return declarations
    },
  }
}

/** Selectors and blocks at the top of a sheet. What begins with `@`, and blocks inside blocks, are skipped whole. */
function* blocksOf(sheet: string): Generator<[prelude: string, block: string]> {
  const css = withoutComments(sheet).replaceAll('<!--', ' ').replaceAll('-->', ' ')
  let at = 0
  while (at < css.length) {
    const open = css.indexOf('{', at)
    if (open < 0) return
    // `@import …;` ends without a block.
    const before = css.slice(at, open)
    const prelude = before.slice(before.lastIndexOf(';') + 1).trim()
    const end = endOfBlock(css, open)
    const block = css.slice(open + 1, end)
    if (!prelude.startsWith('@') && !block.includes('{')) yield [prelude.slice(0, 2_000), block]
    at = end + 1
  }
}

function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1
    else if (css[at] === '}') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return css.length
}
