const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DATE =
  /(\d{1,2})[ \t-]{1,5}([a-z]{3})[a-z]{0,6}[ \t,-]{1,5}(\d{2,4})[ \t,]{1,5}(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?[ \t]{0,5}([+-]\d{4}|[a-z]{1,5})?/i
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/
/** The zones that RFC 822 named; every other word means that the zone is unknown. */
const ZONES = new Map([
  ['edt', -4],
  ['est', -5],
  ['cdt', -5],
  ['cst', -6],
  ['mdt', -6],
  ['mst', -7],
  ['pdt', -7],
  ['pst', -8],
])
const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

/** The time in a Date header, by RFC 5322 and what mailers make of it. Never by the time zone of this machine. */
export function readSentDate(value: string): Date | null {
  const text = value.trim().slice(0, 200)
  const time = ISO.test(text) ? Date.parse(text) : mailTime(text)
  return Number.isFinite(time) && time >= EARLIEST && time < LATEST ? new Date(time) : null
}

function mailTime(text: string): number {
  const found = DATE.exec(text)
  if (!found) return Number.NaN
  const [, day, month = '', year, hour, minute, second = '0', zone = ''] = found
  const place = MONTHS.indexOf(month.toLowerCase())
  if (place < 0 || Number(day) > 31 || Number(hour) > 24 || Number(minute) > 59) return Number.NaN
  const local = Date.UTC(
    fullYear(Number(year)),
    place,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return local - zoneMinutes(zone) * 60_000
}

/** RFC 5322, 4.3: two digits below 50 are of this century. */
const fullYear = (year: number): number => (year < 50 ? 2000 + year : year < 1000 ? 1900 + year : year)

function zoneMinutes(zone: string): number {
  const sign = zone.startsWith('-') ? -1 : 1
  if (/^[+-]\d{4}$/.test(zone)) return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3)))
  return (ZONES.get(zone.toLowerCase()) ?? 0) * 60
}
