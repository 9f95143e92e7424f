import type { QuietHours } from './store/links.ts'

const DAY_MINUTES = 24 * 60

/** Whether nothing is to be told at this moment: by the clock on the wall, whatever daylight saving does to it. */
export function isQuiet(hours: QuietHours | null, timeZone: string, at: Date): boolean {
  if (hours === null) return false
  const minutes = minutesOf(at, timeZone)
  const { from, until } = hours
  return from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until
}

/** One for each zone: to make one takes many times as long as to read it. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', options)
  clocks.set(timeZone, clock)
  return clock
}

function minutesOf(at: Date, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return of('hour') * 60 + of('minute')
}

export const shownHours = ({ from, until }: QuietHours): string => `${shownTime(from)}–${shownTime(until)}`

const shownTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** `22:30-06:15`, and however else people write it; null where it is no such thing, or no time at all. */
export function readHours(text: string): QuietHours | null {
  const found = /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.](\d{2}))?$/i.exec(
    text.trim(),
  )
  if (!found) return null
  const from = minutesIn(found[1], found[2])
  const until = minutesIn(found[3], found[4])
  return from === null || until === null || from === until ? null : { from, until }
}

function minutesIn(hours = '', minutes = '0'): number | null {
  const total = Number(hours) * 60 + Number(minutes)
  return Number(minutes) > 59 || total > DAY_MINUTES ? null : total % DAY_MINUTES
}

/** By its name, or that of its city; null for none, and where several have it. */
export function readTimeZone(text: string): string | null {
  const wished = text.trim().replace(/\s+/g, '_')
  try {
    return new Intl.DateTimeFormat('en', { timeZone: wished }).resolvedOptions().timeZone
  } catch {
    const city = `/${wished.toLowerCase()}`
    const named = Intl.supportedValuesOf('timeZone').filter((zone) => zone.toLowerCase().endsWith(city))
    return named.length === 1 ? (named[0] ?? null) : null
  }
}
