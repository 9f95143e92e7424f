import { describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../test/computing.ts'
import { lexemesOf, queryOf } from './words.ts'

const ANN = '0a1b2c3d-0000-4000-8000-000000000000'
const MESSAGE = { userId: ANN, receivedAt: new Date('2026-11-01T10:00:00Z') }
const words = (...texts: string[]): string[] => lexemesOf(MESSAGE, texts).map((word) => word.slice(10))

describe('the words of a message', () => {
  it.each([
    ['Grüße, "Zoë" & Co.', ['gruße', 'zoe', 'co']],
    ['ann.lee@example.test', ['ann', 'lee', 'example', 'test']],
    ['İSTANBUL ﬁne ½ ＡＢＣ', ['istanbul', 'fine', '1', '2', 'abc']],
    ['東京都', ['東京', '京都', '都']],
    ['order漢字42 🎉', ['order', '漢字', '字', '42', '🎉']],
    ['नमस्ते', ['नमस्ते']],
    ["' | & :* ! <-> \\ \0", []],
  ])('of %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('are each there once, behind the mark of their owner and of the week', () => {
    expect(lexemesOf(MESSAGE, ['one two', 'two three'])).toEqual([
      '0a1b2c0b95one',
      '0a1b2c0b95two',
      '0a1b2c0b95three',
    ])
  })

  it('are few enough for the database, and found in time, however long a text is', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(' ')
    for (const text of [many, 'x'.repeat(10_000_000), '漢'.repeat(1_000_000), '\ufdfa'.repeat(1_000_000)]) {
      await expectBelow(1_500, () => computingTime(() => lexemesOf(MESSAGE, ['subject', text])))
      const found = lexemesOf(MESSAGE, ['subject', text])
      expect(found[0]).toBe('0a1b2c0b95subject')
      expect(found.length).toBeLessThanOrEqual(5_000)
      for (const word of found) expect(Buffer.byteLength(word)).toBeLessThan(200)
    }
  })

  it('are those of the first twenty pages, and found in time, however often one stands there', async () => {
    const pages = 'a '.repeat(9_999)
    expect(words(`${pages}soon`)).toEqual(['a', 'soon'])
    expect(words(`${pages}a late`)).toEqual(['a'])
    expect(words(pages, 'soon late')).toEqual(['a', 'soon'])
    for (const word of ['a ', 'a漢', '漢', '🎉'])
      await expectBelow(20, () =>
        computingTime(() => lexemesOf(MESSAGE, [word.repeat(25_000), word.repeat(25_000)])),
      )
  })
})

describe('a query', () => {
  it.each([
    ['ann', "'0a1b2c?ann':*"],
    ['Lee Ann', "'0a1b2c?lee' & '0a1b2c?ann':*"],
    ['ann@exa', "'0a1b2c?ann' & '0a1b2c?exa':*"],
    ['東京都', "'0a1b2c?東京' & '0a1b2c?京都'"],
    ['東', "'0a1b2c?東':*"],
    ["a' | 'b' <-> c:* !d \\'", "'0a1b2c?a' & '0a1b2c?b' & '0a1b2c?c' & '0a1b2c?d':*"],
  ])('for %j', (typed, expected) => {
    expect(queryOf(ANN, typed)?.all).toBe(expected)
  })

  it('that holds no word is none', () => {
    expect(queryOf(ANN, ' \'" & | ! :* () ')).toBeNull()
  })

  it('asks the index for what is rare, not for the first letter of a word', () => {
    expect(queryOf(ANN, 'invoice a')?.narrowing).toBe("'0a1b2c?invoice'")
    expect(queryOf(ANN, 'invoice')?.narrowing).toBe("'0a1b2c?invoice':*")
    expect(queryOf(ANN, 'a')?.narrowing).toBe("'0a1b2c?a':*")
  })
})
