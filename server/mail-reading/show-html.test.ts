import { describe, expect, it } from 'vitest'
import { parseHtml, walk } from './html-tree.ts'
import { readMail } from './read-mail.ts'
import { readPlainly } from './read-plainly.ts'
import { harmIn } from './samples/harmless.ts'
import * as letters from './samples/letters.ts'
import { showHtml } from './show-html.ts'

const shown = (html: string, pictures = new Map<string, Uint8Array>(), subject = ''): string =>
  showHtml(html, pictures, subject).html ?? ''
const shownMail = async (raw: Buffer | undefined): Promise<string> => {
  const bytes = raw ?? Buffer.alloc(0)
  return (await readMail(bytes, readPlainly(bytes, 'ann@example.com'))).html ?? ''
}
const PNG = Buffer.from('\u0089PNG\r\n\u001a\n and the rest', 'latin1')
const folded = (html: string): string[] =>
  Array.from(html.matchAll(/<details>(.*?)<\/details>/gs), ([, inner = '']) => inner)

describe('the formatting of a mail', () => {
  it('survives in a newsletter of tables', async () => {
    const html = await shownMail(letters.NEWSLETTER)
    expect(html).toContain('<div style="background-color:#f4f4f4;padding:0;margin:0">')
    expect(html).toContain(
      '<table width="100%" cellpadding="0" cellspacing="0" border="0" role="presentation">',
    )
    expect(html).toContain('<td align="center" bgcolor="#f4f4f4">')
    expect(html).toContain('font-family:&#39;Helvetica Neue&#39;,Arial,sans-serif')
    expect(html).toContain(
      'style="background-color:#1a7f37;border-radius:4px;color:#ffffff;padding:10px 20px"',
    )
    expect(html).toContain('<td style="font-size:11px;color:#888888">')
    expect(html).toContain('data-remote-src="https://garden.example/logo.png"')
    expect(html).not.toContain('track.garden.example')
    expect(harmIn(html)).toEqual([])
  })

  it('survives in what Word makes of a letter, with its pictures', async () => {
    const html = await shownMail(letters.OUTLOOK)
    expect(html).toContain(
      '<p style="margin:0cm;font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif">We accept',
    )
    expect(html).toContain('<img width="120" src="data:image/png;base64,iVBOR')
    expect(html).not.toMatch(/o:p|MsoNormal|mso-/)
    expect(harmIn(html)).toEqual([])
  })

  it('keeps the direction of writing', async () => {
    expect(await shownMail(letters.ARABIC)).toBe(
      '<div dir="rtl" lang="ar"><p style="direction:rtl;text-align:right">مرحبا 🌹 كيف حالك؟</p><p>می‌خواهم</p></div>',
    )
  })

  it.each([
    [
      '<p style="COLOR: Red !important; position:fixed; margin:0 auto">x</p>',
      '<p style="color:red;margin:0 auto">x</p>',
    ],
    [
      '<p style="background:#fff url(https://x.test/a.png) no-repeat">x</p>',
      '<p style="background-color:#fff">x</p>',
    ],
    ['<p style="background:red">x</p>', '<p style="background-color:red">x</p>'],
    [
      '<p style="border:1px solid rgba(0, 0, 0, .5);color:hsl(120deg 50% 50%)">x</p>',
      '<p style="border:1px solid rgba(0, 0, 0, .5);color:hsl(120deg 50% 50%)">x</p>',
    ],
    [
      '<p style="font:italic bold 12px/1.5 &quot;Open Sans&quot;, serif">x</p>',
      '<p style="font:italic bold 12px/1.5 &quot;Open Sans&quot;, serif">x</p>',
    ],
    ['<p style="font-family:微软雅黑,宋体">x</p>', '<p style="font-family:微软雅黑,宋体">x</p>'],
    [
      '<p style="text-indent:-18.0pt;margin-left:36.0pt;margin-top:-3px">x</p>',
      '<p style="text-indent:-18.0pt;margin-left:36.0pt">x</p>',
    ],
    [
      '<style>p{color:red} .a{color:blue} p.a{font-size:9px} P.A{color:x}</style><p class="a b">x</p>',
      '<p style="color:blue;font-size:9px">x</p>',
    ],
    ['<style>td,th{padding:1px}a:hover{color:red}div p{color:red}</style><p>x</p>', '<p>x</p>'],
    [
      '<font color="#ff0000" face="Arial, \'X\'" size="+1">x</font>',
      '<font color="#ff0000" face="Arial, &#39;X&#39;" size="+1">x</font>',
    ],
    ['<ol start="3" type="a"><li value="7">x</ol>', '<ol start="3" type="a"><li value="7">x</li></ol>'],
    ['<center><big>x</big></center><xmp><b></xmp>', '<center><big>x</big></center><pre>&lt;b&gt;</pre>'],
    ['<p hidden>x</p><p>y</p><o:p>z</o:p>', '<p>y</p>z'],
    [
      '<title>a</title><script>b</script><style>c</style><textarea>d</textarea><noscript>e</noscript><svg><text>f</text></svg><select><option>g</select><object>h</object><p>i</p>',
      '<p>i</p>',
    ],
    ['<details open><summary>a</summary>b</details>', 'ab'],
    ['<p>one\u0000two\u0007</p>', '<p>onetwo</p>'],
    ['a &lt;b&gt; &amp;amp; "c" \'d\'', 'a &lt;b&gt; &amp;amp; &quot;c&quot; &#39;d&#39;'],
  ])('is kept as far as it does no harm: %s', (html, expected) => {
    expect(shown(html)).toBe(`<div>${expected}</div>`)
  })

  it('is flattened where it is nested deeper than a browser would show', () => {
    const html = shown(
      `${'<div>'.repeat(10_000)}deep<a href=https://x.test>link</a>${'</div>'.repeat(10_000)}after`,
    )
    let depth = 0
    let deepest = 0
    walk(parseHtml(html), {
      enter: () => {
        depth += 1
        deepest = Math.max(deepest, depth)
        return true
      },
      leave: () => {
        depth -= 1
      },
    })
    expect(html).toMatch(/deeplink(?:<\/div>)+after<\/div>$/)
    expect(html.match(/<div>/g)).toHaveLength(201)
  })
})

describe('the links of a mail', () => {
  it.each([
    ['https://x.test/a?b=1&amp;c=2#d', 'https://x.test/a?b=1&amp;c=2#d'],
    ['HTTP://X.test', 'http://x.test/'],
    ['//x.test/a', 'https://x.test/a'],
    [' https://x.\ntest/a ', 'https://x.test/a'],
    ['https://bank.example@evil.test/', 'https://evil.test/'],
    ['https://exаmple.com/', 'https://xn--exmple-4nf.com/'],
    ['mailto:a@b.test?subject=x', 'mailto:a@b.test?subject=x'],
    ['tel:+49123', 'tel:+49123'],
  ])('lead where they are seen to lead, and open apart: %s', (href, expected) => {
    expect(shown(`<a href="${href}" title="https://bank.example" onclick=x>y</a>`)).toBe(
      `<div><a href="${expected}" target="_blank" rel="noopener noreferrer nofollow">y</a></div>`,
    )
  })

  it('read in the direction in which they are written', () => {
    expect(shown('<a href="https://evil.test">moc.knab\u202e//:sptth <b>\u2066x</b></a> \u202ey')).toContain(
      '>moc.knab//:sptth <b>x</b></a> \u202ey',
    )
    expect(shown('<bdo dir=rtl>abc</bdo>')).toBe('<div><span dir="rtl">abc</span></div>')
  })
})

describe('the pictures of a mail', () => {
  it('of its own are in it, by whatever spelling of their name', () => {
    const pictures = new Map([['a@b', PNG]])
    for (const name of ['cid:a@b', 'CID:a%40b', ' cid:a@b'])
      expect(shown(`x<img src="${name}">`, pictures)).toBe(
        `<div>x<img src="data:image/png;base64,${PNG.toString('base64')}"></div>`,
      )
    expect(shown('x<img src="cid:other" alt="A rose">', pictures)).toBe('<div>x<img alt="A rose"></div>')
  })

  it('are at most 3 MB together, however often one is used', () => {
    const large = Buffer.concat([PNG, Buffer.alloc(1_400_000)])
    const html = shown('x<img src="cid:a"><img src="cid:a"><img src="cid:a">', new Map([['a', large]]))
    expect(html.match(/<img/g)).toHaveLength(2)
  })

  it('are known by their bytes, not by their names', () => {
    const svg = Buffer.from('<svg onload=steal()>')
    expect(shown('x<img src="cid:a">', new Map([['a', svg]]))).toBe('<div>x</div>')
    expect(shown(`x<img src="data:image/png;base64,${svg.toString('base64')}">`)).toBe('<div>x</div>')
    const fake = `data:image/jpeg;base64,${PNG.toString('base64')}`
    expect(shown(`x<img src="${fake}">`)).toContain('src="data:image/png;base64,')
  })

  it('of others are only named, until they are asked for', () => {
    const { html, hasRemoteImages } = showHtml(
      'x<img src="//x.test/a.png" data-remote-src="https://y.test">',
      new Map(),
      '',
    )
    expect(html).toBe('<div>x<img data-remote-src="https://x.test/a.png"></div>')
    expect(hasRemoteImages).toBe(true)
    expect(showHtml('x<img src="cid:a" alt="data-remote-src=">', new Map(), '').hasRemoteImages).toBe(false)
  })

  it.each([
    'width=1 height=1',
    'width="1px" height="0"',
    'width=1',
    'style="width:1px;height:1px"',
    'style="display:none"',
    'style="height:1px !important"',
  ])('that only tell of an opening are left out: %s', (attributes) => {
    const { html, hasRemoteImages } = showHtml(
      `x<img src="https://x.test/o.gif" ${attributes}>`,
      new Map(),
      '',
    )
    expect({ html, hasRemoteImages }).toEqual({ html: '<div>x</div>', hasRemoteImages: false })
  })

  it('that are lines stay', () => {
    expect(shown('x<img src="https://x.test/line.gif" width=600 height=1>')).toContain('data-remote-src')
  })
})

describe('what a mail quotes', () => {
  it.each([
    ['GMAIL_THREAD', 'Answer 11.'],
    ['OUTLOOK', 'Here is our offer.'],
    ['APPLE', 'Tea?'],
    ['THUNDERBIRD', 'schrieb Ann'],
    ['OWA', 'Please do it.'],
    ['YAHOO', 'Agreed?'],
    ['ORIGINAL_MESSAGE', 'The older text.'],
  ])('is folded away, once and whole: %s', async (name, words) => {
    const html = await shownMail(letters.LETTERS[name])
    expect(folded(html)).toHaveLength(1)
    expect(folded(html)[0]).toContain(words)
    expect(harmIn(html)).toEqual([])
  })

  it.each(['INTERLEAVED', 'FORWARDED', 'ONLY_QUOTED', 'NEWSLETTER'])(
    'stays open where it is what the mail says: %s',
    async (name) => expect(folded(await shownMail(letters.LETTERS[name]))).toEqual([]),
  )

  it('stays open in what is passed on', () => {
    expect(folded(shown('<p>x</p><blockquote type=cite>y</blockquote>', new Map(), 'Fwd: y'))).toEqual([])
  })

  it('is folded above the answer too', () => {
    expect(
      folded(shown('<p>On 1 May 2026 Ann wrote:</p><blockquote type=cite>y</blockquote><p>x</p>')),
    ).toEqual(['<summary>Quoted text</summary><p>On 1 May 2026 Ann wrote:</p><blockquote>y</blockquote>'])
  })

  it('is not folded where a table would break', () => {
    const html = shown('<p>x</p><table class="gmail_quote"><tr class="gmail_quote"><td>y</td></tr></table>')
    expect(harmIn(html)).toEqual([])
    expect(shown('<table><tr><td>x</td></tr><tr class="gmail_quote"><td>y</td></tr></table>')).not.toContain(
      '<details>',
    )
  })
})
