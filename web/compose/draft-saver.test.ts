import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DraftSaver } from './draft-saver.ts'
import type { Content, Stored } from './letter.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const CHANGED_ELSEWHERE = new Error('changed elsewhere')
/** When the server stored its first, second, third … state. */
const stateOf = (count: number): string => `2026-11-18T01:00:0${count}.000Z`
const BLANK: Content = { recipients: [], subject: '', body: '', senderName: '', replyTo: '' }

/** A server whose answers the test gives, and a sheet that the test writes on. */
function aSaver({ isStored = false } = {}) {
  const calls: { id: string; body: string; basedOn: string | null; answer: (error?: Error) => void }[] = []
  let found: Stored | null = null
  const removed: string[] = []
  const content = { ...BLANK }
  let isReady = true
  const sheet = (draftId: string, stored = false) => ({
    draftId,
    base: stored ? stateOf(0) : null,
    read: () => ({ ...content }),
    isReady: () => isReady,
  })
  const saver: DraftSaver = new DraftSaver(
    {
      save: (id, { body }, basedOn) =>
        new Promise((resolve, reject) => {
          const updatedAt = stateOf(calls.length + 1)
          const answer = (error?: Error) => (error ? reject(error) : resolve({ updatedAt }))
          calls.push({ id, body, basedOn, answer })
        }),
      isChangedElsewhere: (error) => error === CHANGED_ELSEWHERE,
      read: async () => found,
      giveWay: () => saver.fork('two'),
      remove: async (id) => void removed.push(id),
      wordsOf: (error) => String(error),
      onSaved: () => {},
      onRemoved: () => {},
    },
    sheet('one', isStored),
  )
  return {
    saver,
    calls,
    removed,
    sheet,
    write(body: string) {
      content.body = body
      saver.touch()
    },
    isFound: (stored: Stored | null) => {
      found = stored
    },
    setReady: (ready: boolean) => {
      isReady = ready
    },
    async answer(error?: Error) {
      calls.at(-1)?.answer(error)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe('a draft', () => {
  it('is saved a moment after the last key, once', async () => {
    const { saver, calls, write, answer } = aSaver()
    write('H')
    await vi.advanceTimersByTimeAsync(900)
    write('He')
    await vi.advanceTimersByTimeAsync(900)
    expect(calls).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(calls.map(({ body }) => body)).toEqual(['He'])
    expect(saver.isSafe()).toBe(false)
    await answer()
    expect(saver.isSafe()).toBe(true)
    expect(saver.state().kind).toBe('saved')
  })

  it('is saved every few seconds while somebody never pauses', async () => {
    const { calls, write } = aSaver()
    for (let second = 0; second < 12; second++) {
      write(`word ${second}`)
      await vi.advanceTimersByTimeAsync(500)
    }
    expect(calls).toHaveLength(1)
  })

  it('has one save under way at a time, and the next one carries the newest', async () => {
    const { saver, calls, write, answer } = aSaver()
    write('first')
    await vi.advanceTimersByTimeAsync(1_000)
    write('second')
    await vi.advanceTimersByTimeAsync(3_000)
    write('third')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(calls).toHaveLength(1)
    await answer()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls.map(({ body }) => body)).toEqual(['first', 'third'])
    await answer()
    expect(saver.isSafe()).toBe(true)
  })

  it('says when it could not be saved, and tries again by itself', async () => {
    const { saver, calls, write, answer } = aSaver()
    write('words')
    await vi.advanceTimersByTimeAsync(1_000)
    await answer(new Error('no way'))
    expect(saver.state()).toEqual({ kind: 'failed', reason: 'Error: no way' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(calls).toHaveLength(2)
    expect(saver.state().kind).toBe('failed')
    await answer()
    expect(saver.state().kind).toBe('saved')
  })

  it('is not saved while a list is still being read, but afterwards', async () => {
    const { calls, write, setReady } = aSaver()
    setReady(false)
    write('words')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(calls).toHaveLength(0)
    setReady(true)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls).toHaveLength(1)
  })

  it('that is emptied goes; one that never was anything is never made', async () => {
    const stored = aSaver({ isStored: true })
    stored.write('')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(stored.removed).toEqual(['one'])
    const fresh = aSaver()
    fresh.write('')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([...fresh.removed, ...fresh.calls]).toEqual([])
    expect(fresh.saver.isSafe()).toBe(true)
  })

  it('keeps still during a send, and goes on when that failed', async () => {
    const { saver, calls, write, answer } = aSaver()
    write('words')
    const held = saver.hold()
    await vi.advanceTimersByTimeAsync(0)
    await answer()
    await held
    write('more words')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(calls).toHaveLength(1)
    saver.release()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls).toHaveLength(2)
  })

  it('is saved when a send failed after the screen was left, although its save had hung', async () => {
    const { saver, calls, write, answer } = aSaver()
    write('words')
    const held = saver.hold()
    await vi.advanceTimersByTimeAsync(1_500)
    await held
    saver.close()
    await answer(new Error('no answer'))
    saver.release()
    await vi.advanceTimersByTimeAsync(0)
    expect(calls.map(({ body }) => body)).toEqual(['words', 'words'])
    await answer()
    expect(saver.isSafe()).toBe(true)
  })

  it('does not hold up a send for long', async () => {
    const { saver, write } = aSaver()
    write('words')
    const held = saver.hold()
    await vi.advanceTimersByTimeAsync(1_500)
    await expect(held).resolves.toBe(undefined)
  })

  it.each([
    ['is not brought back by a save that arrives after the send', 'words', 'after', ['one']],
    ['does not stay when its save is answered during the send', 'words', 'during', ['one']],
    ['stays after the send as it was written elsewhere', 'theirs', 'after', []],
  ] as const)('%s', async (_, body, answered, gone) => {
    const { saver, calls, removed, write, sheet, answer, isFound } = aSaver()
    isFound({ ...BLANK, body, updatedAt: stateOf(1) })
    write('words')
    const held = saver.hold()
    await vi.advanceTimersByTimeAsync(1_500)
    await held
    if (answered === 'during') await answer()
    saver.startOver(sheet('two'), null)
    calls[0]?.answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(removed).toEqual(gone)
    expect(saver.state().kind).toBe('idle')
    expect(saver.isSafe()).toBe(true)
  })

  it('goes on under another id when another tab writes under this one', async () => {
    const { saver, calls, write } = aSaver({ isStored: true })
    write('mine')
    saver.fork('two')
    await vi.advanceTimersByTimeAsync(1_000)
    expect(calls.map(({ id }) => id)).toEqual(['two'])
  })

  it('goes on under another id when it was changed elsewhere, but not while it is being sent', async () => {
    const { saver, calls, write, answer, isFound } = aSaver({ isStored: true })
    isFound({ ...BLANK, body: 'theirs', updatedAt: stateOf(9) })
    write('mine')
    const held = saver.hold()
    await vi.advanceTimersByTimeAsync(1_500)
    await held
    await answer(CHANGED_ELSEWHERE)
    expect(saver.draftId).toBe('one')
    saver.release()
    await vi.advanceTimersByTimeAsync(1_000)
    await answer(CHANGED_ELSEWHERE)
    await answer()
    expect(calls.map(({ id, basedOn }) => basedOn ?? id)).toEqual([stateOf(0), stateOf(0), 'two'])
    expect(saver.isSafe()).toBe(true)
  })

  it('is saved a last time when the screen is left, and not tried again', async () => {
    const { saver, calls, write, answer } = aSaver()
    write('words')
    saver.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(calls).toHaveLength(1)
    await answer(new Error('no way'))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(calls).toHaveLength(1)
  })

  it('is stored again on demand, though nothing was typed: it may be gone or another one by now', async () => {
    const { saver, calls, write, isFound, answer } = aSaver()
    write('words')
    void saver.flush()
    await vi.advanceTimersByTimeAsync(0)
    await answer()
    void saver.keep()
    await vi.advanceTimersByTimeAsync(0)
    isFound({ ...BLANK, body: 'from the phone', updatedAt: stateOf(9) })
    await answer(CHANGED_ELSEWHERE)
    await answer()
    expect(calls.map(({ id }) => id)).toEqual(['one', 'one', 'two'])
    expect(saver.state().kind).toBe('saved')
  })

  it('is made on demand, also of what was only opened', async () => {
    const { saver, calls, write, answer } = aSaver()
    void saver.keep()
    await vi.advanceTimersByTimeAsync(0)
    expect(saver.state().kind).toBe('nothing to save')
    write('words')
    void saver.keep()
    await vi.advanceTimersByTimeAsync(0)
    expect(calls).toHaveLength(1)
    await answer()
    expect(saver.state().kind).toBe('saved')
  })
})
