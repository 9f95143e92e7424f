import { describe, expect, it } from 'vitest'
import type { Content } from './letter.ts'
import { StoredState } from './stored-state.ts'

const letter = (body: string, recipients = ['bob@example.test']): Content => ({
  recipients,
  subject: '',
  body,
  senderName: '',
  replyTo: '',
})
const [FIRST, SECOND, THIRD] = [
  '2026-11-18T09:59:59.999Z',
  '2026-11-18T10:00:00.000Z',
  '2026-11-18T10:00:00.001Z',
] as const

describe('what is stored and was not known', () => {
  it('is recognised as any of the saves that had no answer', () => {
    const state = new StoredState(FIRST)
    for (const body of ['one', 'one, two', 'one, two, three']) state.tries(letter(body))
    expect(state.recognises({ ...letter('one, two'), updatedAt: SECOND })).toBe(true)
    expect(state.base).toBe(SECOND)
  })

  it('is recognised although something else was tried a hundred times afterwards', () => {
    const state = new StoredState(FIRST)
    state.tries(letter('arrived'))
    for (let times = 0; times < 100; times++) state.tries(letter('newer'))
    expect(state.recognises({ ...letter('arrived'), updatedAt: SECOND })).toBe(true)
  })

  it('is recognised although much was written since', () => {
    const state = new StoredState(FIRST)
    for (let count = 0; count < 100; count++) state.tries(letter(`word ${count}`))
    expect(state.recognises({ ...letter('word 0'), updatedAt: SECOND })).toBe(true)
  })

  it.each([
    ['other words', letter('theirs')],
    ['another recipient', letter('ours', ['eve@example.test'])],
    ['one recipient more', letter('ours', ['bob@example.test', 'eve@example.test'])],
    ['another subject', { ...letter('ours'), subject: 'News' }],
    ['another sender', { ...letter('ours'), senderName: 'Eve' }],
    ['another reply-to', { ...letter('ours'), replyTo: 'eve@example.test' }],
  ])('is somebody else’s with %s', (_, theirs) => {
    const state = new StoredState(FIRST)
    state.tries(letter('ours'))
    expect(state.recognises({ ...theirs, updatedAt: SECOND })).toBe(false)
    expect(state.base).toBe(FIRST)
  })

  it('is somebody else’s when it is what was saved here long ago', () => {
    const state = new StoredState(FIRST)
    state.tries(letter('ours'))
    state.saved(SECOND)
    state.tries(letter('ours, later'))
    expect(state.recognises({ ...letter('ours'), updatedAt: THIRD })).toBe(false)
  })

  it('is in nobody’s way when it is gone', () => {
    const state = new StoredState(FIRST)
    expect(state.recognises(null)).toBe(true)
    expect(state.base).toBe(null)
  })
})

it.each([
  ['was saved here', () => new StoredState(FIRST), 'saved'],
  ['was only read here', () => new StoredState(SECOND), 'read'],
])('what %s is known to whoever knows that state or a later one', (_, begin, came) => {
  const state = begin()
  if (came === 'saved') state.saved(SECOND)
  const isKnownTo = [FIRST, SECOND, THIRD, null].map((base) => state.isKnownTo(base))
  expect(isKnownTo).toEqual([false, true, true, false])
})

it('what is nowhere is known to everybody', () => {
  expect([FIRST, null].map((base) => new StoredState(null).isKnownTo(base))).toEqual([true, true])
})

it('only a later state is worth following', () => {
  const state = new StoredState(SECOND)
  const isFollowed = (updatedAt: string) => state.isOlderThan({ ...letter(''), updatedAt })
  expect([FIRST, SECOND, THIRD].map(isFollowed)).toEqual([false, false, true])
})
