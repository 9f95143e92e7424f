import { afterEach, expect, it, vi } from 'vitest'
import { aLane } from '../test/a-lane.ts'
import { aStoredCampaign, databaseOfFile } from '../test/stored-campaign.ts'
import { createLanes } from './lanes.ts'
import { isAwaited } from './store/candidates.ts'
import { setRunState } from './store/changes.ts'

const database = databaseOfFile()

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['is still out of order', 'the password is wrong'],
  ['seems to be back', null],
])('an account that %s is asked nothing more once nobody waits for it', async (_, reason) => {
  vi.useFakeTimers()
  const check = vi.fn(async () => reason ?? (check.mock.calls.length === 1 ? 'away' : null))
  const { lane, provider } = aLane(async () => [{ kind: 'unknown', reason: 'silence' }], 20, { check })
  const letGo = vi.fn(async () => {})
  let isWaitedFor = true
  const lanes = createLanes({
    providerOf: async () => provider,
    open: () => lane,
    letGo,
    isAwaited: async () => isWaitedFor,
    troubled: (error) => {
      throw error
    },
  })
  lanes.of('a', provider)
  const goOn = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      await lanes.tidy()
    }
  }

  await goOn(180)
  expect([lane.isEmpty(), lane.isWatching()]).toEqual([true, true])
  expect(letGo).not.toHaveBeenCalled()
  isWaitedFor = false
  await goOn(62)
  expect(letGo).toHaveBeenCalledExactlyOnceWith(provider)
  const asked = check.mock.calls.length
  expect(asked).toBeGreaterThan(1)
  await goOn(180)
  expect(check).toHaveBeenCalledTimes(asked)
  expect(vi.getTimerCount()).toBe(0)
})

it('an account is waited for by campaigns that are being sent, not by those that are stopped or over', async () => {
  const { db } = database
  const { id, userId } = await aStoredCampaign(db, 1)
  expect(await isAwaited(db, 'product')).toBe(true)
  expect(await isAwaited(db, 'another')).toBe(false)
  await setRunState(db, userId, id, { from: ['sending'], to: 'paused' })
  expect(await isAwaited(db, 'product')).toBe(false)
})
