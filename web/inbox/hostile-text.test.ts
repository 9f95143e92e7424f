import { describe, expect, it } from 'vitest'
import { piecesOf } from './text-links.ts'
import { blocksOf } from './text-parts.ts'

const LENGTH = 200_000
const filled = (pattern: string): string =>
  pattern.repeat(Math.ceil(LENGTH / pattern.length)).slice(0, LENGTH)

/** All that a page reads out of a text before it shows it. */
const read = (text: string): string =>
  blocksOf(text)
    .flatMap((block) => piecesOf(block.text))
    .map((piece) => piece.text)
    .join('')

function timeOf(text: string): number {
  const start = performance.now()
  read(text)
  return performance.now() - start
}

const ORDINARY = filled(
  'Dear Ann, thank you (and Bob) for https://example.test/a?b=1. I wrote to carl@example.test - he is coming.\n',
)

describe('a text that is made to keep the page busy', () => {
  it.each([
    ['brackets that nothing opened', `http://a${filled(')')}`],
    ['brackets of two kinds', `http://a${filled(')]')}`],
    ['a sentence without an end', `http://a${filled('!')}b`],
    ['addresses of nobody', filled('mailto:')],
    ['addresses of nobody with names', filled('mailto:a')],
    ['dashes', `${filled('-')}x`],
    ['lines of dashes', filled(`${'-'.repeat(198)}x\n`).concat('x')],
    ['dashes between words', `${filled('--a')}x`],
    ['spaces', `a${filled(' ')}b`],
    ['spaces and dashes', `${filled(' -')}x`],
    ['empty lines', `a${filled('\n')}b`],
    ['colons', `a\n${filled(': ')}x\n> b`],
  ])('is read about as quickly as any other, and loses nothing: %s', (_, text) => {
    const ordinary = Math.max(1, Math.min(...Array.from({ length: 3 }, () => timeOf(ORDINARY))))
    const start = performance.now()
    const words = read(text)
    expect((performance.now() - start) / ordinary).toBeLessThan(50)
    expect(words.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''))
  })

  it('has no link that nobody would follow', () => {
    const links = (text: string) => piecesOf(text).filter(({ href }) => href !== null)
    expect(links(`https://example.test/${'a'.repeat(4_000)} and`)).toHaveLength(1)
    expect(links(`https://example.test/${'a'.repeat(5_000)} and ann@example.test`)).toHaveLength(1)
  })
})
