import { useEffect, useMemo } from 'react'
import { useLocation } from 'wouter'
import { useQueryString } from '../ui/use-query-string.ts'
import { useTyped } from '../ui/use-typed.ts'
import { type ListFilter, NO_FILTER, readFilter, writeFilter } from './history-filter.ts'

const HISTORY_PATH = '/history'

let lastSearch = ''
/** The list as it was last looked at, for the way back from a campaign. */
export const listPath = (): string => `${HISTORY_PATH}${lastSearch}`

/** The filter lives in the page's address, so that reloading, sharing and going back keep it. */
export function useHistoryFilter() {
  const search = useQueryString()
  const [, navigate] = useLocation()
  const filter = useMemo(() => readFilter(search), [search])
  useEffect(() => {
    lastSearch = writeFilter(filter)
  }, [filter])

  const apply = (next: ListFilter) => navigate(`${HISTORY_PATH}${writeFilter(next)}`, { replace: true })
  const [typed, setTyped] = useTyped(filter.q, (q) => apply({ ...filter, q }))

  return {
    filter,
    typed,
    setTyped,
    /** Choices take effect at once, along with what has been typed. */
    choose: (choice: Partial<ListFilter>) => apply({ ...filter, q: typed, ...choice }),
    clear: () => {
      setTyped('')
      apply(NO_FILTER)
    },
  }
}
