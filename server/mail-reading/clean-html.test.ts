import { describe, expect, it } from 'vitest'
import { cleanHtml } from './clean-html.ts'
import { parseHtml } from './html-tree.ts'
import { harmIn } from './samples/harmless.ts'
import * as content from './samples/hostile-content.ts'
import * as hostile from './samples/hostile-html.ts'

const clean = (html: string): string => cleanHtml(parseHtml(html)).html

describe('cleaned HTML', () => {
  it.each([
    ['event handlers', hostile.EVENT_HANDLERS],
    ['protocols', hostile.PROTOCOLS],
    ['scripts', hostile.SCRIPTS],
    ['mutations', hostile.MUTATIONS],
    ['what fetches or embeds', content.EMBEDDED],
    ['forms', content.FORMS],
    ['names that hide others', content.CLOBBERING],
    ['styles', content.STYLES],
  ])('has only what is allowed, whatever is tried: %s', (_name, vectors) => {
    for (const vector of vectors) expect(harmIn(clean(vector)), vector).toEqual([])
  })

  it('has only what is allowed where one trick stands inside another', () => {
    const all = hostile.HOSTILE_HTML
    for (const [place, vector] of all.entries()) {
      const other = all[(place * 7 + 13) % all.length] ?? ''
      const wrapped = `<table><tr><td><b>${vector}<svg>${other}</svg></b><p title='${vector.replaceAll("'", '')}'>${other}`
      expect(harmIn(clean(wrapped)), wrapped).toEqual([])
      expect(harmIn(clean(vector.slice(0, -1) + other)), vector + other).toEqual([])
    }
  })

  it('is judged by a test that sees harm', () => {
    for (const html of [
      '<img src=x onerror=y>',
      '<script>x</script>',
      '<a href="javascript:x">x</a>',
      '<a href="https://x.test">without target</a>',
      '<p style="position:fixed">x</p>',
      '<p style="background:url(x)">x</p>',
      '<svg></svg>',
      '<!-- x -->',
      '<p id=x>x</p>',
      '<img src="https://x.test/x.png">',
      '<style>p{}</style>',
    ])
      expect(harmIn(html), html).not.toEqual([])
  })
})
