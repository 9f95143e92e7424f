import { expect, it } from 'vitest'
import { addedWords } from './added-words.ts'

it.each([
  [{ added: 1, known: 0 }, '1 address added to the suppression list.'],
  [{ added: 1204, known: 1 }, '1,204 addresses added to the suppression list. 1 was on the list already.'],
  [{ added: 2, known: 30 }, '2 addresses added to the suppression list. 30 were on the list already.'],
  [{ added: 0, known: 1 }, 'This address was on the list already.'],
  [{ added: 0, known: 5 }, 'All 5 addresses were on the list already.'],
])('%j is told as %j', (answer, words) => {
  expect(addedWords(answer).description).toBe(words)
})
