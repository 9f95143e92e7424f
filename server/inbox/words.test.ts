import { describe, expect, it } from 'vitest'
import { lexemesOf, queryOf } from './words.ts'

const ANN = '0a1b2c3d-0000-4000-8000-000000000000'
const words = (...texts: string[]): string[] => lexemesOf(ANN, texts).map((word) => word.slice(6))

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

  it('are each there once, behind the mark of their owner', () => {
    expect(lexemesOf(ANN, ['one two', 'two three'])).toEqual(['0a1b2cone', '0a1b2ctwo', '0a1b2cthree'])
  })

  it('are few enough for the database, and found in time, however long a text is', () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(' ')
    for (const text of [many, 'x'.repeat(10_000_000), '漢'.repeat(1_000_000), '\ufdfa'.repeat(1_000_000)]) {
      const began = performance.now()
      const found = lexemesOf(ANN, ['subject', text])
      expect(performance.now() - began).toBeLessThan(1_500)
      expect(found[0]).toBe('0a1b2csubject')
      expect(found.length).toBeLessThanOrEqual(5_000)
      for (const word of found) expect(Buffer.byteLength(word)).toBeLessThan(200)
    }
  })
})

describe('a query', () => {
  it.each([
    ['ann', "'0a1b2cann':*"],
    ['Lee Ann', "'0a1b2clee' & '0a1b2cann':*"],
    ['ann@exa', "'0a1b2cann' & '0a1b2cexa':*"],
    ['東京都', "'0a1b2c東京' & '0a1b2c京都'"],
    ['東', "'0a1b2c東':*"],
    ["a' | 'b' <-> c:* !d \\'", "'0a1b2ca' & '0a1b2cb' & '0a1b2cc' & '0a1b2cd':*"],
  ])('for %j', (typed, expected) => {
    expect(queryOf(ANN, typed)?.all).toBe(expected)
  })

  it('that holds no word is none', () => {
    expect(queryOf(ANN, ' \'" & | ! :* () ')).toBeNull()
  })

  it('asks the index for what is rare, not for the first letter of a word', () => {
    expect(queryOf(ANN, 'invoice a')?.narrowing).toBe("'0a1b2cinvoice'")
    expect(queryOf(ANN, 'invoice')?.narrowing).toBe("'0a1b2cinvoice':*")
    expect(queryOf(ANN, 'a')?.narrowing).toBe("'0a1b2ca':*")
  })
})
