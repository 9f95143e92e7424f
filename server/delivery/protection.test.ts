import { describe, expect, it } from 'vitest'
import { dangerOf } from './protection.ts'

const LIMITS = { complaints: 0.3, bounces: 10 }

describe('the shared address is in danger', () => {
  it.each([
    [{ arrived: 1_000, bounced: 0, complained: 4 }, true],
    [{ arrived: 1_000, bounced: 0, complained: 3 }, false],
    [{ arrived: 999, bounced: 0, complained: 100 }, false],
    [{ arrived: 449, bounced: 51, complained: 0 }, true],
    [{ arrived: 450, bounced: 50, complained: 0 }, false],
    [{ arrived: 10, bounced: 480, complained: 0 }, false],
    [{ arrived: 0, bounced: 500, complained: 0 }, true],
  ])('after %j: %s', (record, isInDanger) => {
    expect(dangerOf(record, LIMITS) !== null).toBe(isInDanger)
  })

  it('in words that tell what happened, how much and what to do', () => {
    expect(dangerOf({ arrived: 1_050, bounced: 0, complained: 4 }, LIMITS)).toBe(
      'Paused to protect the sending address that everybody here shares: 4 of your last 1,050 delivered emails were reported as spam (0.38 %, the limit is 0.3 %). Please check where these addresses come from before you resume',
    )
  })

  it('never where the operator has switched the limits off', () => {
    const worst = { arrived: 10_000, bounced: 10_000, complained: 10_000 }
    expect(dangerOf(worst, { complaints: 0, bounces: 0 })).toBeNull()
  })
})
