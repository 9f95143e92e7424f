import { describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../test/computing.ts'
import { htmlOf } from './html-alternative.ts'

/** What stands in the body. */
const bodyOf = (text: string): string => /<div [^>]*>\n(.*)\n<\/div>/s.exec(htmlOf(text))?.[1] ?? ''
/** What stands in the only paragraph. */
const lineOf = (text: string): string => /^<p dir="auto">(.*)<\/p>$/s.exec(bodyOf(text))?.[1] ?? ''
const link = (href: string, shown = href): string => `<a href="${href}">${shown}</a>`

describe('the document', () => {
  it('is whole, readable on a small screen and in the dark, and names no language', () => {
    const html = htmlOf('Hello')
    expect(html).toMatch(/^<!doctype html>\n<html style="color-scheme:light dark">/)
    expect(html).toContain('<meta charset="utf-8">')
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toMatch(/<div style="max-width:640px;[^"]*font:16px\/1\.5 system-ui/)
    expect(html).not.toMatch(/lang=|<script|<style/)
    expect(html).toMatch(/<\/body>\n<\/html>\n$/)
  })

  it('of nothing is empty', () => {
    expect(bodyOf('')).toBe('')
    expect(bodyOf(' \n\t\n\r\n')).toBe('')
  })
})

describe('the text', () => {
  it('cannot become markup', () => {
    expect(lineOf(`<b onclick="x('y')">&amp;</b>`)).toBe(
      '&lt;b onclick=&quot;x(&#39;y&#39;)&quot;&gt;&amp;amp;&lt;/b&gt;',
    )
    expect(lineOf('http://x.test/"onmouseover="alert(1)')).not.toMatch(/"\s*onmouseover/)
    expect(lineOf("http://x.test/'><img src=x>&lt;")).toBe(
      `${link('http://x.test/')}&#39;&gt;&lt;img src=x&gt;&amp;lt;`,
    )
  })

  it('keeps its paragraphs and lines, whatever ends them', () => {
    expect(bodyOf('a\nb\r\nc\rd\n\ne\n \t\nf')).toBe(
      '<p dir="auto">a<br>\nb<br>\nc<br>\nd</p>\n<p dir="auto">e</p>\n<p dir="auto">f</p>',
    )
    expect(bodyOf('\n\na\n\n\n\nb\n\n\n')).toBe('<p dir="auto">a</p>\n<p dir="auto"><br>\n<br>\nb</p>')
  })

  it.each([
    ['a b', 'a b'],
    ['a  b', 'a&nbsp; b'],
    ['a   b', 'a &nbsp; b'],
    ['a    b', 'a&nbsp; &nbsp; b'],
    [' a', '&nbsp;a'],
    ['  a', '&nbsp; a'],
    ['   a', '&nbsp;&nbsp; a'],
    ['\ta\tb', '&nbsp; &nbsp; a&nbsp; &nbsp; b'],
    ['a  ', 'a'],
    ['a\u00a0b', 'a&nbsp;b'],
    ['  http://x.test  b', `&nbsp; ${link('http://x.test')}&nbsp; b`],
  ])('keeps its spaces: %j', (text, html) => expect(lineOf(text)).toBe(html))

  it('keeps every other sign', () => {
    const text = 'Grüße שלום مرحبا 你好 👩‍👩‍👧 e\u0301 – “quoted” … \\ ` $& $1'
    expect(lineOf(text)).toBe(text.replace('&', '&amp;'))
  })
})

describe('a link', () => {
  it.each([
    ['http://x.test'],
    ['https://x.test/'],
    ['HTTPS://X.test/A?b=c#d'],
    ['https://x.test:8080/a/b.html'],
    ['http://localhost:3000/x'],
    ['http://127.0.0.1/x'],
    ['https://x.test/a_(b)'],
    ['https://x.test/?q[]=1,2;3'],
    ['https://x.test/~ann/@b!$*+-=.'.slice(0, -1)],
  ])('is %s', (text) => {
    expect(lineOf(text)).toBe(link(text))
    expect(lineOf(`See ${text}, and more`)).toBe(`See ${link(text)}, and more`)
    expect(lineOf(`(${text}).`)).toBe(`(${link(text)}).`)
    expect(lineOf(`<${text}>`)).toBe(`&lt;${link(text)}&gt;`)
    expect(lineOf(`“${text}”`)).toBe(`“${link(text)}”`)
  })

  it.each([
    ['www.x.test', link('http://www.x.test', 'www.x.test')],
    ['WWW.x.test/a?b.', `${link('http://WWW.x.test/a?b', 'WWW.x.test/a?b')}.`],
    ['https://x.test/?a=1&b=2', link('https://x.test/?a=1&amp;b=2')],
    ['[docs](https://x.test/a)!', `[docs](${link('https://x.test/a')})!`],
    ['(https://x.test/a_(b))', `(${link('https://x.test/a_(b)')})`],
    ['https://x.test/a)(', `${link('https://x.test/a')})(`],
    ['https://x.test...', `${link('https://x.test')}...`],
    ['https://x.test?!', `${link('https://x.test')}?!`],
    ["'https://x.test'", `&#39;${link('https://x.test')}&#39;`],
    ['*https://x.test*', `*${link('https://x.test')}*`],
    ['a:http://x.test http://y.test', `a:${link('http://x.test')} ${link('http://y.test')}`],
    ['https://bücher.example/ä', link('https://xn--bcher-kva.example/%C3%A4', 'https://bücher.example/ä')],
    ['http://例え.テスト', link('http://xn--r8jz45g.xn--zckzah/', 'http://例え.テスト')],
    ['请看https://x.test。谢谢', `请看${link('https://x.test')}。谢谢`],
    ['请看https://x.test谢谢', `请看${link('https://x.test')}谢谢`],
    ['（www.x.test）', `（${link('http://www.x.test', 'www.x.test')}）`],
  ])('in %s', (text, html) => expect(lineOf(text)).toBe(html))

  it.each([
    ['ann@x.test', link('mailto:ann@x.test', 'ann@x.test')],
    ['Ann <Ann.Lee@X.test>.', `Ann &lt;${link('mailto:Ann.Lee@x.test', 'Ann.Lee@X.test')}&gt;.`],
    ['mailto:ann@x.test.', `mailto:${link('mailto:ann@x.test', 'ann@x.test')}.`],
    ['a@x.test,b@y.test', `${link('mailto:a@x.test', 'a@x.test')},${link('mailto:b@y.test', 'b@y.test')}`],
    ["'ann@x.test'", `&#39;${link('mailto:ann@x.test', 'ann@x.test')}&#39;`],
    ["o'neil@x.test", link('mailto:o&#39;neil@x.test', 'o&#39;neil@x.test')],
    ['ann?bcc=eve@x.test', link('mailto:ann%3Fbcc%3Deve@x.test', 'ann?bcc=eve@x.test')],
    ['jörg@bücher.example', link('mailto:j%C3%B6rg@xn--bcher-kva.example', 'jörg@bücher.example')],
    ['联系ann@x.test谢谢', `联系${link('mailto:ann@x.test', 'ann@x.test')}谢谢`],
    ['ann@www.x.test', link('mailto:ann@www.x.test', 'ann@www.x.test')],
    ['https://x.test/@ann@y.test', link('https://x.test/@ann@y.test')],
  ])('of mail: %s', (text, html) => expect(lineOf(text)).toBe(html))

  it.each([
    'javascript:alert(1)',
    'javascript://x.test/%0aalert(1)',
    'data:text/html,x',
    'ftp://x.test',
    'file:///etc/passwd',
    'xhttp://x.test',
    'http://',
    'http:// x.test',
    'https://.',
    'http://?x',
    'http:///x',
    'https://paypal.test@evil.test/',
    'www.',
    'www.x',
    'www..x.test',
    'foo.www.x.test',
    '@ann',
    'ann@',
    'ann@x',
    'ann@.test',
    'ann@x..test',
    'a@b.test@c.test',
    'ann@127.0.0.1',
    `http://x.test/${'a'.repeat(5_000)}`,
    `${'a'.repeat(65)}@x.test`,
  ])('is not %s', (text) => expect(bodyOf(text)).not.toContain('<a'))

  it('goes nowhere but to the web and to mail', () => {
    const hrefs = bodyOf('javascript:http://x.test javascript:www.x.test javascript:ann@x.test').match(
      /href="[^"]*/g,
    )
    expect(hrefs).toEqual(['href="http://x.test', 'href="http://www.x.test', 'href="mailto:ann@x.test'])
  })
})

describe('a million hostile signs', () => {
  it.each(
    [
      '(',
      ')',
      'a@',
      '@',
      'a',
      '.',
      '-',
      ' ',
      '\t',
      '\n',
      '\n\n',
      'http://',
      'http:// ',
      'http://a ',
      'http://a.b(',
      'www.',
    ].concat([
      'www.a.b ',
      'a@b.c ',
      'a.',
      `${'a'.repeat(64)}@`,
      'a@b.',
      'http://x.test/)',
      'ü',
      '谢',
      '<',
      '"',
      'hhttp',
      'ww',
    ]),
  )('of %j take a moment', async (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    // Half a second at most was measured; anything that grows with the square would take minutes.
    await expectBelow(3_000, () => computingTime(() => htmlOf(text)))
  })
})

it('a picture is never alone with a few words, which filters take for an advertisement', () => {
  // SpamAssassin's HTML_IMAGE_ONLY_* end at 3,200 bytes.
  expect(htmlOf('x', { pixelUrl: `http://a.test/t/${'x'.repeat(48)}.gif` }).length).toBeGreaterThan(3_200)
  expect(htmlOf('x').length).toBeLessThan(600)
})

describe('a reply', () => {
  const repliedOf = (text: string): string =>
    (/<div [^>]*>\n(.*)\n<\/div>/s.exec(htmlOf(text, { hasQuote: true }))?.[1] ?? '').replace(
      / style="[^"]*"/g,
      '',
    )
  const quote = (...parts: string[]): string =>
    ['<blockquote type="cite">', ...parts, '</blockquote>'].join('\n')
  const p = (text: string): string => `<p dir="auto">${text}</p>`

  it('shows the words of others as quotations, one within the other', () => {
    expect(repliedOf('Hi\n\nBob wrote:\n> one\n>\n> > two\n>> two\n> three <b>\nbye')).toBe(
      [
        p('Hi'),
        p('Bob wrote:'),
        quote(p('one'), quote(p('two<br>\ntwo')), p('three &lt;b&gt;')),
        p('bye'),
      ].join('\n'),
    )
  })

  it('has an end however many signs there are', () => {
    expect(repliedOf('>'.repeat(100_000)).match(/<blockquote/g)).toHaveLength(8)
  })

  it('only is: elsewhere such a line is a line', () => {
    expect(bodyOf('> one')).toBe(p('&gt; one'))
  })
})
