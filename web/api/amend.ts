import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Changes what is known where it stands; `change` answers undefined for what stays as it is. To set data makes a query
 * look freshly read: one that is to be read again at the next visit would not be, and what it lacks would stay away.
 */
export function amend<Data>(
  client: QueryClient,
  wanted: { queryKey: QueryKey; exact?: boolean },
  change: (known: Data) => Data | undefined,
): void {
  for (const query of client.getQueryCache().findAll(wanted)) {
    const known = query.state.data as Data | undefined
    const changed = known === undefined ? undefined : change(known)
    if (changed === undefined) continue
    const { isInvalidated } = query.state
    client.setQueryData(query.queryKey, changed)
    if (!isInvalidated) continue
    query.invalidate()
    // A reading that nobody waits for any more is undone, back to what was set here.
    query.promise?.catch(() => query.invalidate())
  }
}
