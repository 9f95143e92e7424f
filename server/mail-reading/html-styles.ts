/** One property and its value, both proven harmless. */
export type Declaration = [property: string, value: string]

/** Longer than any honest one; what follows is dropped. */
const STYLE_MAX = 4_000
const VALUE_MAX = 200

const UNSIGNED = '(?:\\d{1,4}(?:\\.\\d{1,6})?|\\.\\d{1,6})(?:px|pt|em|rem|ex|ch|%|cm|mm|in|pc)?'
const LENGTH = `[+-]?${UNSIGNED}`
const WORD = '[a-z][a-z-]{0,30}'
export const COLOR =
  '(?:#[0-9a-f]{3,8}|rgba?\\([\\d\\s.,%/]{1,40}\\)|hsla?\\([\\d\\s.,%/a-z]{1,40}\\)|[a-z]{3,25})'
const FAMILY =
  "(?:\"[\\p{L}\\p{N} _.,'-]{0,80}\"|'[\\p{L}\\p{N} _.,-]{0,80}'|[\\p{L}\\p{N}_][\\p{L}\\p{N} _.-]{0,80})"

const pattern = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'iu')
const times = (source: string, max: number): string => `(?:${source})(?:\\s+(?:${source})){0,${max - 1}}`

const words = pattern(times(WORD, 4))
const size = pattern(`${UNSIGNED}|${WORD}`)
const sizes = pattern(times(`${UNSIGNED}|${WORD}`, 4))
const shift = pattern(`${LENGTH}|${WORD}`)
const color = pattern(COLOR)
const colors = pattern(times(COLOR, 4))
const border = pattern(times(`${UNSIGNED}|${COLOR}`, 3))
const families = pattern(`${FAMILY}(?:\\s*,\\s*${FAMILY}){0,12}`)

/**
 * By which a letter is formatted inside its own lines. Not among them: whatever fetches (`url`, `image-set`), moves over
 * something else (`position`, `transform`, negative margins, `z-index`), invents names (`--x`, `var`) or makes content.
 */
const PROPERTIES = new Map<string, RegExp>([
  ['color', color],
  ['background-color', color],
  ['border', border],
  ['border-color', colors],
  ['border-style', words],
  ['border-width', sizes],
  ...['top', 'right', 'bottom', 'left'].flatMap((side): [string, RegExp][] => [
    [`border-${side}`, border],
    [`border-${side}-color`, color],
    [`border-${side}-style`, words],
    [`border-${side}-width`, size],
    [`margin-${side}`, size],
    [`padding-${side}`, size],
  ]),
  ['border-collapse', words],
  ['border-spacing', sizes],
  ['border-radius', sizes],
  ['border-top-left-radius', sizes],
  ['border-top-right-radius', sizes],
  ['border-bottom-left-radius', sizes],
  ['border-bottom-right-radius', sizes],
  ['box-sizing', words],
  ['caption-side', words],
  ['clear', words],
  ['direction', pattern('ltr|rtl')],
  [
    'display',
    pattern(
      'none|block|inline|inline-block|list-item|inline-table|table(?:-[a-z]{3,12}(?:-group)?)?|(?:inline-)?flex',
    ),
  ],
  ['empty-cells', words],
  ['float', pattern('left|right|none')],
  ['font', pattern(`(?:[\\w.%+/-]{1,20}\\s+){0,6}${FAMILY}(?:\\s*,\\s*${FAMILY}){0,12}`)],
  ['font-family', families],
  ['font-size', size],
  ['font-style', words],
  ['font-variant', words],
  ['font-weight', pattern(`[1-9]00|${WORD}`)],
  ['height', size],
  ['letter-spacing', shift],
  ['line-height', size],
  ['list-style', words],
  ['list-style-position', words],
  ['list-style-type', words],
  ['margin', sizes],
  ['max-height', size],
  ['max-width', size],
  ['min-height', size],
  ['min-width', size],
  ['overflow', pattern('hidden|visible|auto')],
  ['overflow-wrap', words],
  ['padding', sizes],
  ['table-layout', words],
  ['text-align', words],
  ['text-decoration', pattern(times(`${WORD}|${COLOR}`, 4))],
  ['text-decoration-color', color],
  ['text-decoration-line', words],
  ['text-decoration-style', words],
  ['text-indent', shift],
  ['text-transform', words],
  ['vertical-align', shift],
  ['visibility', words],
  ['white-space', words],
  ['width', size],
  ['word-break', words],
  ['word-spacing', shift],
  ['word-wrap', words],
])
const FONTS = new Set(['font', 'font-family'])

/** What is left of a `style` attribute, or of the block of a rule. */
export function readDeclarations(css: string): Declaration[] {
  return piecesOf(withoutComments(css.slice(0, STYLE_MAX))).flatMap((piece) => {
    const colon = piece.indexOf(':')
    if (colon < 0) return []
    const property = piece.slice(0, colon).trim().toLowerCase()
    const value = piece
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
    return declaration(property, FONTS.has(property) ? value : value.toLowerCase())
  })
}

function declaration(property: string, value: string): Declaration[] {
  if (value.length > VALUE_MAX && property !== 'background') return []
  if (property === 'background') return backgroundColor(value)
  return PROPERTIES.get(property)?.test(value) ? [[property, value]] : []
}

const SOLID = /(?:^|\s)(#[0-9a-f]{3,8}|rgba?\([\d\s.,%/]{1,40}\))(?=\s|$)/
const NOT_COLORS =
  /^(?:none|inherit|initial|unset|repeat|fixed|scroll|local|center|top|left|right|bottom|cover|contain|no-repeat)$/

/** Of a background with a picture its colour is kept: text was made to be read on it. */
function backgroundColor(value: string): Declaration[] {
  const solid = SOLID.exec(value.slice(0, STYLE_MAX).replace(/url\([^)]{0,2000}\)/g, ' '))?.[1]
  if (solid) return [['background-color', solid]]
  return color.test(value) && !NOT_COLORS.test(value) ? [['background-color', value]] : []
}

export function withoutComments(css: string): string {
  if (!css.includes('/*')) return css
  const kept: string[] = []
  let at = 0
  while (at < css.length) {
    const start = css.indexOf('/*', at)
    kept.push(css.slice(at, start < 0 ? css.length : start))
    const end = start < 0 ? -1 : css.indexOf('*/', start + 2)
    if (end < 0) break
    at = end + 2
  }
  return kept.join(' ')
}

/** Split at semicolons that stand neither in quotes nor in brackets. */
function piecesOf(css: string): string[] {
  const pieces: string[] = []
  let quote = ''
  let depth = 0
  let start = 0
  for (let at = 0; at < css.length; at += 1) {
    const sign = css[at]
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (sign === ';' && depth === 0) {
      pieces.push(css.slice(start, at))
      start = at + 1
    }
  }
  pieces.push(css.slice(start))
  return pieces
}

/** The last word on each property, in the order in which they were said. */
export function styleText(declarations: Declaration[]): string {
  const last = new Map<string, string>()
  for (const [property, value] of declarations) {
    last.delete(property)
    last.set(property, value)
  }
  return Array.from(last, ([property, value]) => `${property}:${value}`).join(';')
}
