/**
 * The zone of the person who looks, for an address. Some browsers cannot name it and say "Etc/Unknown", which they refuse
 * themselves, as the server would: what is asked without a zone is answered by UTC.
 */
export function zoneQuery(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return isZone(timeZone) ? `?${new URLSearchParams({ timeZone })}` : ''
}

function isZone(name: string | undefined): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== undefined
  } catch {
    return false
  }
}
