import { setTimeout as sleep } from 'node:timers/promises'
import { Api } from 'grammy'
import { describe, expect, it } from 'vitest'
import { obeyingLimits } from './calls.ts'

const EVERY_MS = 100
/** Timers are rounded. */
const ROUNDING_MS = 2

describe('the pace of a chat', () => {
  it('is counted from when Telegram heard of a call, not from when it set out', async () => {
    const heardAt: number[] = []
    const api = new Api('1:token')
    // The innermost: it stands for the way to Telegram, on which the first call is held up.
    api.config.use(async () => {
      if (heardAt.length === 0) await sleep(EVERY_MS)
      heardAt.push(performance.now())
      return { ok: true, result: true as never }
    })
    const pace = { chat: { everyMs: EVERY_MS, atOnce: 2 }, all: { everyMs: 1, atOnce: 100 } }
    api.config.use(obeyingLimits(pace, new AbortController().signal))
    for (let index = 0; index < 4; index++) await api.sendMessage(7, 'a saying')
    const sinceFirst = heardAt.map((at) => at - (heardAt[0] ?? 0))
    // Two at once, then one at a time.
    expect(sinceFirst[2]).toBeGreaterThanOrEqual(EVERY_MS - ROUNDING_MS)
    expect(sinceFirst[3]).toBeGreaterThanOrEqual(2 * EVERY_MS - ROUNDING_MS)
  })
})
