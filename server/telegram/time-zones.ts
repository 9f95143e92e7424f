const known = new Map<string, string>()

/** What was stored long ago may be unknown to the machine of today, which is no reason to tell somebody nothing. */
export function knownZone(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const zone = isZone(name) ? name : 'UTC'
  known.set(name, zone)
  return zone
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
