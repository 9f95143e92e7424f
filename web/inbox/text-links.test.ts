import { describe, expect, it } from 'vitest'
import { piecesOf } from './text-links.ts'

const links = (line: string) =>
  piecesOf(line).flatMap(({ text, href }) => (href === null ? [] : [[text, href]]))

describe('a line of text', () => {
  it('has links where addresses stand, without the punctuation around them', () => {
    expect(links('See https://example.test/a?b=1. Or (www.example.test), or ann@example.test!')).toEqual([
      ['https://example.test/a?b=1', 'https://example.test/a?b=1'],
      ['www.example.test', 'https://www.example.test/'],
      ['ann@example.test', 'mailto:ann@example.test'],
    ])
    expect(links('https://example.test/wiki_(x)')).toEqual([
      ['https://example.test/wiki_(x)', 'https://example.test/wiki_(x)'],
    ])
    expect(links('([https://example.test/wiki_(x)!].)')).toEqual([
      ['https://example.test/wiki_(x)', 'https://example.test/wiki_(x)'],
    ])
  })

  it('loses nothing of its words', () => {
    const line = '  <b>https://example.test</b> & mailto:ann@example.test  '
    expect(
      piecesOf(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe(line)
  })

  it('links nothing that could run', () => {
    for (const line of [
      'javascript:alert(1)',
      'JaVaScRiPt://example.test/%0aalert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:x file:///etc/passwd blob:https x',
      'https://',
    ])
      expect(links(line), line).toEqual([])
    for (const [, href] of links('javascript:https://example.test/x')) expect(href).toMatch(/^https:/)
  })

  it('tells the real name of a host with foreign letters', () => {
    expect(piecesOf('https://аpple.test/')[0]?.host).toBe('xn--pple-43d.test')
    expect(piecesOf('https://apple.test/')[0]?.host).toBeNull()
  })

  it('is read in no time, however it is made', () => {
    const start = performance.now()
    for (const line of ['a'.repeat(200_000), 'www.'.repeat(50_000), '@'.repeat(100_000), 'a.'.repeat(50_000)])
      piecesOf(line)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
