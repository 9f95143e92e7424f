import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../test/computing.ts'
import { createMailReader } from './mail-reader.ts'
import type { ReadMail } from './reading.ts'
import { harmIn } from './samples/harmless.ts'
import { HOSTILE_MAILS } from './samples/hostile-mails.ts'

/**
 * R25 and S9: so long may one mail take, and so long may it hold up the process that sends. Both are counted in time of
 * the processor: the clock on the wall would also count what other programs take from the machine.
 */
const LIMIT_MS = 1_800
const HELD_UP_MS = 100

const milliseconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

describe('a hostile mail', () => {
  const reader = createMailReader({ limits: { timeMs: 30_000 } })
  beforeAll(() => reader.read(Buffer.from('From: a@b.test\n\nstarts the thread'), 'a@b.test'))
  afterAll(() => reader.close())

  it.each(HOSTILE_MAILS)('is read within the limit: %s', async (_name, raw) => {
    let mail = null as ReadMail | null
    await expectBelow(1, async () => {
      const start = process.cpuUsage()
      const here = await computingTime(async () => {
        mail = await reader.read(raw, 'eve@evil.test')
      })
      return Math.max(here / HELD_UP_MS, milliseconds(process.cpuUsage(start)) / LIMIT_MS)
    })
    expect(mail).not.toBeNull()
    expect(mail?.subject.length).toBeLessThanOrEqual(500)
    expect(mail?.preview.length).toBeLessThanOrEqual(200)
    expect((mail?.text ?? '').length).toBeLessThanOrEqual(500_000)
    expect(JSON.stringify(mail)).not.toContain('\\u0000')
    expect((mail?.html ?? '').length).toBeLessThan(7_000_000)
    if ((mail?.html ?? '').length < 100_000) expect(harmIn(mail?.html ?? '')).toEqual([])
    expect(Object.getPrototypeOf({})).not.toHaveProperty('subject')
  })
})
