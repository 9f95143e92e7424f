const known = new Map<string, boolean>()
/** More than there are zones: whatever else people may send is not remembered for good. */
const KNOWN_MAX = 2_000

/** The zone, or UTC where this machine does not know it: what was stored long ago must not keep anybody uninformed. */
export function knownZone(name: string): string {
  const isKnown = known.get(name) ?? isZone(name)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(name, isKnown)
  return isKnown ? name : 'UTC'
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
