import { describe, expect, it } from 'vitest'
import { SENT_BEFORE } from '../../contract/sent-before.ts'
import { ApiError, ConnectionError } from '../api/client.ts'
import { doubtAfter } from '../api/send-doubt.ts'
import { randomId } from '../ui/random-id.ts'
import { paragraphsOf } from './mail-html.ts'
import { countOf } from './message-field.tsx'
import { outlookOf } from './outlook.ts'
import type { Recipient } from './recipient-address.ts'
import type { RecipientsView } from './recipient-list.ts'
import { age } from './words.ts'

const link = (href: string, text = href) => `<a target="_blank" rel="noreferrer" href="${href}">${text}</a>`

describe('the preview of a message', () => {
  it.each([
    ['Hello\nyou\n\nBye', '<p dir="auto">Hello<br>you</p>\n<p dir="auto">Bye</p>'],
    ['a\n\n\nb', '<p dir="auto">a</p>\n<p dir="auto"><br>b</p>'],
    ['  two', '<p dir="auto">&nbsp; two</p>'],
    ['<b>&"', '<p dir="auto">&#60;b&#62;&#38;&#34;</p>'],
    ['', ''],
  ])('%j is %j', (text, html) => {
    expect(paragraphsOf(text)).toBe(html)
  })

  it.each([
    ['see https://x.test/a?b=1.', `see ${link('https://x.test/a?b=1')}.`],
    ['(http://x.test/a_(b))', `(${link('http://x.test/a_(b)')})`],
    ['www.x.test, and', `${link('http://www.x.test', 'www.x.test')}, and`],
    ['ask ann@x.test!', `ask ${link('mailto:ann@x.test', 'ann@x.test')}!`],
    ['@ann and a@b', '@ann and a@b'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('links in %j', (text, html) => {
    expect(paragraphsOf(text)).toBe(`<p dir="auto">${html}</p>`)
  })
})

describe('the counter', () => {
  it.each([
    [0, '0 characters'],
    [1, '1 character'],
    [90_000, '90,000 characters'],
    [90_001, '90,001 of 100,000 characters'],
    [100_002, '100,002 characters, 2 more than the 100,000 that can be sent'],
  ])('%i', (length, words) => {
    expect(countOf(length)).toBe(words)
  })
})

describe('the line beside the send button', () => {
  const people = (count: number, looksRight = true): Recipient[] =>
    Array.from({ length: count }, () => ({ text: '', key: '', looksRight }))
  const view = (count: number, more: Partial<RecipientsView> = {}): RecipientsView => ({
    all: people(count),
    badCount: 0,
    duplicates: 0,
    leftOut: 0,
    isReading: false,
    ...more,
  })
  it.each([
    [view(0), '', 'Add a recipient to send'],
    [view(1), '', 'Add a subject to send to 1 person'],
    [view(1), 'News', 'To 1 person'],
    [view(1_204, { duplicates: 3 }), 'News', 'To 1,204 people · 3 duplicates ignored'],
    [
      view(4, { duplicates: 1, badCount: 1 }),
      'News',
      'To 3 people · 1 duplicate ignored · 1 address looks wrong',
    ],
    [view(3, { badCount: 2 }), '', 'Add a subject to send to 1 person · 2 addresses look wrong'],
    [view(1, { badCount: 1 }), 'News', '1 address looks wrong'],
    [view(2, { isReading: true }), 'News', 'Reading the list…'],
  ])('%#', (recipients, subject, words) => {
    expect(outlookOf(recipients, subject)).toBe(words)
  })
  it.each([
    [3, 1, 'News', 'To 2 people'],
    [2, 1, '', 'Add a subject to send to 1 person'],
    [2, 2, 'News', 'Nobody would get this email'],
  ])('of %i, %i left out, subject %j', (count, leftOut, subject, words) => {
    expect(outlookOf(view(count), subject, people(leftOut))).toBe(words)
  })
  it('takes nobody off twice who looks wrong and is left out', () => {
    expect(outlookOf(view(3, { badCount: 1 }), 'News', people(1, false))).toBe(
      'To 2 people · 1 address looks wrong',
    )
  })
})

describe('after a send that failed', () => {
  const refused = (status: number, text: string) => new ApiError(status, text, new Headers())
  it.each([
    ['no answer', new ConnectionError('gone'), 'unanswered'],
    ['an answer that is none', new SyntaxError('Unexpected end'), 'unanswered'],
    ['an error of a proxy', refused(504, 'Gateway Timeout'), 'unanswered'],
    ['a refusal', refused(400, '"ann@" is not a valid e-mail address'), null],
    ['another account', refused(409, 'Nothing was changed'), null],
    ['a changed letter, sent before', refused(409, SENT_BEFORE), 'sent before'],
  ])('%s', (_, error, left) => {
    expect(doubtAfter(error, null)).toBe(left)
  })
  it('a refusal says nothing of an earlier try that had no answer', () => {
    expect(doubtAfter(refused(400, 'The reply-to address is not valid'), 'unanswered')).toBe('unanswered')
  })
})

it('makes ids that the contract takes', () => {
  expect(randomId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(randomId()).not.toBe(randomId())
})

it.each([
  [0, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 min ago'],
  [3_600_000, '1 h ago'],
  [86_400_000, '1 day ago'],
  [3 * 86_400_000, '3 days ago'],
  [10 * 86_400_000, 'Nov 5, 2026'],
])('%i ms ago is %j', (past, words) => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  expect(age(now - past, now)).toBe(words)
})
