import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useQueryString } from '../ui/use-query-string.ts'
import { useTyped } from '../ui/use-typed.ts'
import { type ListFilter, NO_FILTER, readFilter, writeFilter } from './suppressions-filter.ts'

/** The filter lives in the page's address, so that reloading, sharing and going back keep it. */
export function useSuppressionsFilter() {
  const search = useQueryString()
  const [path, navigate] = useLocation()
  const filter = useMemo(() => readFilter(search), [search])

  const apply = (next: ListFilter) =>
    // The state goes along: it knows the way back.
    navigate(`${path}${writeFilter(next)}`, { replace: true, state: window.history.state })
  const [typed, setTyped] = useTyped(filter.q, (q) => apply({ ...filter, q }))

  return {
    filter,
    typed,
    setTyped,
    /** Takes effect at once, along with what has been typed. */
    choose: (reason: ListFilter['reason']) => apply({ q: typed, reason }),
    clear: () => {
      setTyped('')
      apply(NO_FILTER)
    },
  }
}
