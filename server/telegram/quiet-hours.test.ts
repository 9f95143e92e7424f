import { describe, expect, it } from 'vitest'
import { isQuiet, readHours, readTimeZone, shownHours } from './quiet-hours.ts'

const night = { from: 22 * 60, until: 7 * 60 }
const at = (time: string) => new Date(time)

describe('quiet hours', () => {
  it('reach over midnight, from their first minute until before their last', () => {
    const quiet = (time: string) => isQuiet(night, 'UTC', at(`2026-11-15T${time}Z`))
    expect(['21:59:59', '22:00:00', '23:59:59', '00:00:00', '06:59:59', '07:00:00'].map(quiet)).toEqual([
      ...[false, true, true, true, true, false],
    ])
    const noon = { from: 12 * 60, until: 13 * 60 + 30 }
    const siesta = (time: string) => isQuiet(noon, 'UTC', at(`2026-11-15T${time}Z`))
    expect(['11:59:00', '12:00:00', '13:29:00', '13:30:00'].map(siesta)).toEqual([false, true, true, false])
    expect(isQuiet(null, 'UTC', at('2026-11-15T03:00:00Z'))).toBe(false)
  })

  it('go by the clock of whoever sleeps, also where half an hour is the difference', () => {
    expect(isQuiet(night, 'America/New_York', at('2026-11-15T02:59:00Z'))).toBe(false)
    expect(isQuiet(night, 'America/New_York', at('2026-11-15T03:00:00Z'))).toBe(true)
    expect(isQuiet(night, 'Asia/Kolkata', at('2026-11-15T16:29:00Z'))).toBe(false)
    expect(isQuiet(night, 'Asia/Kolkata', at('2026-11-15T16:30:00Z'))).toBe(true)
  })

  it('end at the same hour in the nights in which the clock is changed', () => {
    // Vienna goes from 02:00 to 03:00 on 29 March 2026, and back from 03:00 to 02:00 on 25 October.
    const quiet = (time: string) => isQuiet(night, 'Europe/Vienna', at(time))
    expect([quiet('2026-03-28T05:59:00Z'), quiet('2026-03-28T06:00:00Z')]).toEqual([true, false])
    expect([quiet('2026-03-29T04:59:00Z'), quiet('2026-03-29T05:00:00Z')]).toEqual([true, false])
    expect([quiet('2026-10-25T05:59:00Z'), quiet('2026-10-25T06:00:00Z')]).toEqual([true, false])
    // An end within the hour that is left out is when the clock has jumped over it.
    const short = { from: 60, until: 150 }
    expect(isQuiet(short, 'Europe/Vienna', at('2026-03-29T00:59:59Z'))).toBe(true)
    expect(isQuiet(short, 'Europe/Vienna', at('2026-03-29T01:00:00Z'))).toBe(false)
  })

  it.each([
    ['22:30-06:15', '22:30–06:15'],
    [' 22.30 – 6 ', '22:30–06:00'],
    ['9 to 24:00', '09:00–00:00'],
    ['0:00 until 0:01', '00:00–00:01'],
  ])('are read from %s', (typed, shown) => {
    const hours = readHours(typed)
    expect(hours && shownHours(hours)).toBe(shown)
  })

  it.each(['', '22:30', '25-6', '22:60-6', '8-8', '0-24', '22:30-06:15 tomorrow'])(
    'are not read from %j',
    (typed) => {
      expect(readHours(typed)).toBeNull()
    },
  )

  it('know a zone by its name or its city, and no other', () => {
    expect(['europe/vienna', 'Vienna', 'new york', 'UTC'].map(readTimeZone)).toEqual([
      ...['Europe/Vienna', 'Europe/Vienna', 'America/New_York', 'UTC'],
    ])
    expect(['', 'Atlantis', '<b>', 'Europe'].map(readTimeZone)).toEqual([null, null, null, null])
  })
})
