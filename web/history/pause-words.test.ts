import { expect, it } from 'vitest'
import { pauseWords, resumeWords } from './pause-words.ts'

const PROTECTED = 'Paused to protect the sending address that everybody here shares: 2 of your last 9'

it.each([
  [null, false, 'Paused. Nobody else gets this email until it is resumed.', ''],
  [
    'smtp.x.test is out of order: 421 Busy.',
    true,
    'Paused: smtp.x.test is out of order: 421 Busy.',
    'It goes on by itself as soon as the provider takes mail again.',
  ],
  [PROTECTED, false, `${PROTECTED}.`, 'It waits until you resume it.'],
])('paused for %j, resuming itself: %s', (pausedReason, resumesItself, why, next) => {
  expect(pauseWords({ pausedReason, resumesItself })).toBe(why)
  expect(resumeWords({ pausedReason, resumesItself })).toBe(next)
})
