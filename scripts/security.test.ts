import { existsSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

const read = (file: string): string => readFileSync(file, 'utf8')

describe('docs/security.md', () => {
  const text = read('docs/security.md')
  const rows = text.split('\n').filter((line) => /^\| S\d+ \|/.test(line))
  const proofs = [...text.matchAll(/`([^`]+\.ts)` “([^”]+)”/g)]

  it('has a row for each of the 45 attacks, with a test that holds it or the reason why there is none', () => {
    expect(rows.map((row) => row.split(' ')[1])).toEqual(
      Array.from({ length: 45 }, (_, index) => `S${index + 1}`),
    )
    expect(rows.filter((row) => !/\.ts` “|No test:/.test(row))).toEqual([])
  })

  it('names tests that exist, by their own words', () => {
    expect(proofs.length).toBeGreaterThan(90)
    const missing = proofs.filter(
      ([, file = '', name = '']) => !existsSync(file) || !read(file).includes(name),
    )
    expect(missing.map(([proof]) => proof)).toEqual([])
  })

  it('names tests that every change has to pass', () => {
    const TAGGED = /['"`],\s*(?:furtherWay\(|\{[^}]*\btags\b)/
    const isLeftOut = (source: string, name: string) =>
      // What is tagged as a group would leave out whatever stands in it.
      new RegExp(`\\bdescribe\\b[^\\n]*(?:\\(\\n[^\\n]*)?${TAGGED.source}`).test(source) ||
      source
        .split(name)
        .slice(1)
        .some((after) => new RegExp(`^[^\\n]*${TAGGED.source}`).test(after))
    const leftOut = proofs.filter(([, file = '', name = '']) => isLeftOut(read(file), name))
    expect(leftOut.map(([proof]) => proof)).toEqual([])
  })
})

it('S12: no screen makes markup of a text, but for the preview, which is a frame in a sandbox', async () => {
  const MARKUP = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcDoc/
  const found: string[] = []
  for await (const file of glob('web/**/*.{ts,tsx}', { exclude: ['web/dist/**'] }))
    if (MARKUP.test(read(file))) found.push(file)
  expect(found).toEqual(['web/compose/mail-preview.tsx'])
})
