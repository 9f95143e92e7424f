import { expect, it } from 'vitest'
import { providersWords } from './providers-words.ts'

it('keeps a provider to one short line without our secrets', () => {
  expect(providersWords('no\r\n key re_1 \0', ['re_1', ''])).toBe('no key …')
  expect(providersWords('x'.repeat(1000))).toHaveLength(301)
})
