import { COLOR } from './html-styles.ts'

/** How an attribute's value must look; what looks otherwise is left out. */
const pattern = (source: string): RegExp => new RegExp(`^(?:${source})$`, 'i')

const size = pattern('\\d{1,4}(?:\\.\\d{1,2})?(?:px|%)?')
const count = pattern('\\d{1,3}')
const color = pattern(COLOR.replace('#', '#?'))
const flag = pattern('.{0,20}')
const text = /^.{0,1000}$/s

export const EVERYWHERE = new Map<string, RegExp>([
  ['align', pattern('left|right|center|middle|justify|top|bottom|baseline|absmiddle|texttop')],
  ['dir', pattern('ltr|rtl|auto')],
  ['lang', pattern('[a-z0-9-]{1,35}')],
  ['role', pattern('presentation|none')],
  ['title', text],
])

const table = new Map<string, RegExp>([
  ['bgcolor', color],
  ['bordercolor', color],
  ['border', count],
  ['cellpadding', count],
  ['cellspacing', count],
  ['frame', pattern('void|above|below|hsides|lhs|rhs|vsides|box|border')],
  ['height', size],
  ['rules', pattern('none|groups|rows|cols|all')],
  ['summary', text],
  ['valign', pattern('top|middle|bottom|baseline')],
  ['width', size],
])
const cell = new Map<string, RegExp>([
  ...table,
  ['abbr', text],
  ['colspan', count],
  ['nowrap', flag],
  ['rowspan', count],
  ['scope', pattern('row|col|rowgroup|colgroup')],
])
const column = new Map<string, RegExp>([...table, ['span', count]])
const list = new Map<string, RegExp>([
  ['compact', flag],
  ['reversed', flag],
  ['start', pattern('-?\\d{1,6}')],
  ['type', pattern('1|a|i|disc|circle|square')],
])
const none = new Map<string, RegExp>()

/** The elements that are kept, and what they may carry beside what all may. `href` and `src` are judged apart. */
export const ELEMENTS = new Map<string, Map<string, RegExp>>([
  ...'abbr acronym address article aside b bdi big blockquote caption center cite code dd del dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header i ins kbd main mark nav p pre q rp rt ruby s samp section small span strike strong sub sup time tt u var a'
    .split(' ')
    .map((name): [string, Map<string, RegExp>] => [name, none]),
  ['br', new Map([['clear', pattern('left|right|all|both|none')]])],
  ['col', column],
  ['colgroup', column],
  [
    'font',
    new Map([
      ['color', color],
      ['face', /^[\p{L}\p{N} ,.'"_-]{1,200}$/u],
      ['size', pattern('[+-]?\\d')],
    ]),
  ],
  [
    'hr',
    new Map([
      ['color', color],
      ['noshade', flag],
      ['size', count],
      ['width', size],
    ]),
  ],
  [
    'img',
    new Map([
      ['alt', text],
      ['border', count],
      ['height', size],
      ['hspace', count],
      ['vspace', count],
      ['width', size],
    ]),
  ],
  ['li', new Map([...list, ['value', pattern('-?\\d{1,6}')]])],
  ['ol', list],
  ['table', table],
  ['tbody', table],
  ['td', cell],
  ['tfoot', table],
  ['th', cell],
  ['thead', table],
  ['tr', table],
  ['ul', list],
  ['wbr', none],
])

export const VOID_ELEMENTS = new Set(['br', 'col', 'hr', 'img', 'wbr'])

/** Kept under another name: `bdo` turns letters around, the others are `pre` of old days. */
export const RENAMED = new Map([
  ['bdo', 'span'],
  ['body', 'div'],
  ['dir', 'ul'],
  ['listing', 'pre'],
  ['menu', 'ul'],
  ['plaintext', 'pre'],
  ['xmp', 'pre'],
])

/** Left out with all that is in them: nothing that a person wrote to be read. Of everything else the text stays. */
export const DROPPED = new Set(
  'applet area audio base basefont bgsound canvas command datalist embed frame frameset head iframe input keygen link map math meta meter noembed noframes noscript object option optgroup param progress script select slot source style svg template textarea title track video'.split(
    ' ',
  ),
)

/** In these only their own parts may stand; nothing is wrapped around one of those. */
export const TABLE_PARTS = new Set([
  'caption',
  'col',
  'colgroup',
  'tbody',
  'td',
  'tfoot',
  'th',
  'thead',
  'tr',
])
