import { describe, expect, it } from 'vitest'
import { AppError } from '../platform/errors.ts'
import { byDay, calendarOf } from './days.ts'

/** One campaign of one recipient at each of these moments. */
const activity = (timeZone: string, now: string, ...moments: string[]) =>
  byDay(
    { now: new Date(now), quarters: moments.map((at) => ({ at: new Date(at), accepted: 1 })) },
    calendarOf(timeZone),
  )
const counts = (days: ReturnType<typeof activity>) =>
  Object.fromEntries(days.filter(({ sent }) => sent > 0).map(({ date, sent }) => [date, sent]))

describe('the last seven days', () => {
  it('end with today, begin with the oldest, and show those without mail', () => {
    expect(activity('UTC', '2026-11-15T10:00:00Z', '2026-11-13T00:00:00Z', '2026-11-13T23:45:00Z')).toEqual([
      { name: 'Mon', sent: 0, date: '2026-11-09' },
      { name: 'Tue', sent: 0, date: '2026-11-10' },
      { name: 'Wed', sent: 0, date: '2026-11-11' },
      { name: 'Thu', sent: 0, date: '2026-11-12' },
      { name: 'Fri', sent: 2, date: '2026-11-13' },
      { name: 'Sat', sent: 0, date: '2026-11-14' },
      { name: 'Sun', sent: 0, date: '2026-11-15' },
    ])
  })

  it('leave out the day before them', () => {
    expect(
      counts(activity('UTC', '2026-11-15T10:00:00Z', '2026-11-08T23:45:00Z', '2026-11-09T00:00:00Z')),
    ).toEqual({ '2026-11-09': 1 })
  })

  it.each([
    // The moment is half past ten in the evening of the 14th in London.
    ['Europe/London', '2026-11-14'],
    ['Europe/Vienna', '2026-11-14'],
    ['Asia/Kathmandu', '2026-11-15'],
    ['Pacific/Chatham', '2026-11-15'],
    ['Pacific/Kiritimati', '2026-11-15'],
    ['Pacific/Pago_Pago', '2026-11-14'],
    ['America/New_York', '2026-11-14'],
  ])('are those of %s', (timeZone, date) => {
    expect(counts(activity(timeZone, '2026-11-15T12:00:00Z', '2026-11-14T22:30:00Z'))).toEqual({ [date]: 1 })
  })

  it('begin at midnight also where the clocks are changed', () => {
    // Vienna leaves summer time on 25 October 2026 at 01:00 UTC; before, midnight is at 22:00 UTC, after, at 23:00.
    const moments = [
      '2026-10-24T21:45:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-25T22:45:00Z',
      '2026-10-25T23:00:00Z',
    ]
    expect(counts(activity('Europe/Vienna', '2026-10-26T12:00:00Z', ...moments))).toEqual({
      '2026-10-24': 1,
      '2026-10-25': 2,
      '2026-10-26': 1,
    })
  })

  it('are seven where one of them has no midnight', () => {
    // In Chile the clocks go from 24:00 on 5 September 2026 to 01:00.
    const days = activity(
      'America/Santiago',
      '2026-09-08T12:00:00Z',
      '2026-09-06T04:00:00Z',
      '2026-09-06T03:45:00Z',
    )
    expect(days.map(({ date }) => date)).toEqual([2, 3, 4, 5, 6, 7, 8].map((day) => `2026-09-0${day}`))
    expect(counts(days)).toEqual({ '2026-09-05': 1, '2026-09-06': 1 })
  })

  it('go over the end of a month and of a year', () => {
    const dates = activity('UTC', '2028-03-01T00:00:00Z').map(({ date }) => date)
    expect(dates.slice(-3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
    expect(activity('UTC', '2027-01-02T00:00:00Z')[0]?.date).toBe('2026-12-27')
  })
})

it.each(['', 'Europe/Nowhere', 'x', "UTC'--", '../etc/passwd', 'CEST', 'Europe/Vienna\0', '\ud800'])(
  'the time zone %j is refused in one sentence',
  (timeZone) => {
    expect(() => calendarOf(timeZone)).toThrow(AppError)
    expect(() => calendarOf(timeZone)).toThrow(/^The time zone is not a known one/)
  },
)
