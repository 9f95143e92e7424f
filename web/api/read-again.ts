import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

type Wanted = { queryKey: QueryKey; exact?: boolean; predicate?: (query: Query) => boolean }

/** Being read for the first time: such a reading is never begun anew, one who asks again gets the one under way. */
const isFirstReading = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus !== 'idle'

/** To be read once more when their first reading is over. */
const waiting = new WeakSet<Query>()

/**
 * This has changed, by our own doing or as we were told. What is just being read for the first time may have been read
 * before the change, so that one is read again after it.
 */
export function readAgain(client: QueryClient, wanted: Wanted): void {
  const first = client.getQueryCache().findAll(wanted).filter(isFirstReading)
  void client.invalidateQueries(wanted)
  for (const query of first) {
    if (waiting.has(query)) continue
    waiting.add(query)
    void Promise.resolve(query.promise)
      .catch(() => {})
      .then(() => {
        waiting.delete(query)
        return client.invalidateQueries({ queryKey: query.queryKey, exact: true })
      })
  }
}
