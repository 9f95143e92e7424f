import { describe, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { withArrival } from '../api/inbox-cache.ts'
import { frameHeight } from './frame-height.ts'
import { filterOf, pathOfView, readView } from './inbox-view.ts'
import { sizeWords } from './size-words.ts'
import { agoWords } from './time-words.ts'

describe('how long ago', () => {
  const now = new Date(2026, 10, 12, 10, 0, 0)
  it.each([
    [new Date(2026, 10, 12, 9, 59, 30), 'just now'],
    [new Date(2026, 10, 12, 10, 0, 30), 'just now'],
    [new Date(2026, 10, 12, 9, 55), '5 min ago'],
    [new Date(2026, 10, 12, 9, 0), '1 hour ago'],
    [new Date(2026, 10, 12, 0, 30), '9 hours ago'],
    [new Date(2026, 10, 11, 23, 0), 'yesterday'],
    [new Date(2026, 10, 10, 23, 0), '2 days ago'],
    [new Date(2026, 10, 6, 1, 0), '6 days ago'],
    [new Date(2026, 10, 5, 1, 0), 'Nov 5'],
    [new Date(2025, 11, 31, 1, 0), 'Dec 31, 2025'],
  ])('%s is %s', (date, words) => expect(agoWords(date, now)).toBe(words))

  it('is told in hours shortly after midnight', () => {
    expect(agoWords(new Date(2026, 10, 11, 23, 0), new Date(2026, 10, 12, 1, 0))).toBe('2 hours ago')
  })
})

describe('the address of the screen', () => {
  it('keeps folder, search and message', () => {
    const open = { inboxId: 'i-1', messageId: 'm-2' }
    const view = { folder: 'archived', q: 'a & b', campaign: null, open } as const
    expect(readView(pathOfView(view).slice('/inbox'.length))).toEqual(view)
    expect(pathOfView({ folder: 'inbox', q: '', campaign: null, open: null })).toBe('/inbox')
    expect(readView('?campaign=c-1')).toMatchObject({ campaign: 'c-1', q: '' })
    expect(readView('?campaign=c-1&q=word')).toMatchObject({ campaign: null, q: 'word' })
  })

  it('leaves out what makes no sense', () => {
    expect(readView('?folder=secret&message=../../x')).toMatchObject({ folder: 'inbox', q: '', open: null })
    expect(filterOf(readView('?q=+'))).toEqual({ folder: 'inbox' })
  })
})

it.each([
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [12_345, '12 KB'],
  [999_600, '1 MB'],
  [3_400_000, '3.4 MB'],
])('%i bytes are %s', (bytes, words) => expect(sizeWords(bytes)).toBe(words))

describe('the height of a frame', () => {
  it('grows with the text, and with pictures once they are shown', () => {
    const desk = { showsImages: false, isPhone: false }
    const words = `<p>${'word '.repeat(500)}</p>`
    const short = frameHeight('<p>Hello</p>', desk)
    const long = frameHeight(words, desk)
    expect(short).toBeLessThan(200)
    expect(long).toBeGreaterThan(short + 500)
    const picture = '<p>Hello</p><img data-remote-src="https://example.test/a.png">'
    expect(frameHeight(picture, { ...desk, showsImages: true })).toBeGreaterThan(
      frameHeight(picture, desk) + 100,
    )
    expect(frameHeight(words, { ...desk, isPhone: true })).toBeGreaterThan(long * 1.5)
  })
})

describe('mail that arrives', () => {
  const at = (messageId: string, minute: number) =>
    ({ messageId, timestamp: `2026-11-12T10:${minute}:00.000Z` }) as InboxItem
  const list = (nextCursor: string | null) => ({
    pages: [
      { items: [at('d', 40), at('c', 30)], nextCursor: 'x' },
      { items: [at('b', 20)], nextCursor },
    ],
    pageParams: ['', 'x'],
  })
  const ids = (result: ReturnType<typeof withArrival>) =>
    result.pages.map(({ items }) => items.map(({ messageId }) => messageId).join(''))

  it('takes its place by time', () => {
    expect(ids(withArrival(list(null), at('new', 50)))).toEqual(['newdc', 'b'])
    expect(ids(withArrival(list(null), at('new', 35)))).toEqual(['dnewc', 'b'])
    expect(ids(withArrival(list(null), at('new', 10)))).toEqual(['dc', 'bnew'])
  })

  it('waits for its page when that has not been loaded', () => {
    expect(ids(withArrival(list('more'), at('new', 10)))).toEqual(['dc', 'b'])
  })
})
