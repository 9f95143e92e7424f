/** When a mail reached the other side, as far as anyone has told us. */
export type Arrival = {
  takenAt: Date | null
  deliveredAt: Date | null
  /** False for what is just being handed over, and for what was refused at every try: nobody can have it but who refuses. */
  mayBeTaken: boolean
}

/** Nobody reads this fast, while scanners look at a mail the moment it comes in. */
const TOO_SOON_MS = 3_000

/** Mail services that fetch pictures in place of their readers, at the moment when one is reading. */
const READERS_PROXY = /GoogleImageProxy|YahooMailProxy/i

const MACHINES = [
  // Cubot is a make of telephones.
  /(?<!cu)bot\b/i,
  /crawl|spider|scanner|preview|link.?check|existence discovery/i,
  /^(?:curl|wget|java|python|ruby|perl|php|node|axios|undici|got|deno|bun)\b/i,
  /python-(?:requests|urllib)|aiohttp|go-http-client|apache-httpclient|libwww|headless|phantomjs|puppeteer|playwright/i,
  /barracuda|proofpoint|mimecast|messagelabs|symantec|fireeye|trellix|cloudmark|sophos|forcepoint|ironport|trendmicro/i,
]

/** Who calls itself a machine, or nothing at all. Apple's proxy fetches every picture, read or not, as bare Mozilla. */
export function isMachineName(userAgent: string): boolean {
  const name = userAgent.trim()
  if (name === '' || name === 'Mozilla/5.0') return true
  return !READERS_PROXY.test(name) && MACHINES.some((machine) => machine.test(name))
}

/**
 * The provider may pass a mail on before it has answered us, or have it looked through, so whatever comes before its
 * answer is too soon as well. A delivery is timed by somebody else's clock: only what lies close to it counts.
 */
export function isTooSoon(at: Date, { takenAt, deliveredAt, mayBeTaken }: Arrival): boolean {
  if (!mayBeTaken) return true
  const time = at.getTime()
  if (takenAt && time - takenAt.getTime() <= TOO_SOON_MS) return true
  return deliveredAt !== null && Math.abs(time - deliveredAt.getTime()) <= TOO_SOON_MS
}
