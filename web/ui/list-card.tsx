import type { ReactNode, Ref } from 'react'
import { Card } from './card.tsx'
import { classes } from './classes.ts'
import { LoadFailure } from './load-failure.tsx'
import { LoadMore, type LoadMoreProps } from './load-more.tsx'

interface ListCardProps<Entry> {
  label: string
  list: {
    /** Null until the first of them are there. */
    entries: readonly Entry[] | null
    failure: string | null
    isFetching: boolean
    retry: () => void
    /** What is shown belongs to the search before. */
    isOutdated: boolean
    end: LoadMoreProps
  }
  loading: string
  skeleton: ReactNode
  failed: string
  /** In its place when nothing is in it. */
  empty: ReactNode
  /** How much a search has found, for those who listen; null where nothing was searched for. */
  found: ((count: number) => string) | null
  ref?: Ref<HTMLElement>
  children: (entries: readonly Entry[]) => ReactNode
}

/** A screen's list: on its way, not to be had, empty, or there and going on as one scrolls. */
export function ListCard<Entry>(props: ListCardProps<Entry>) {
  const { label, list, loading, skeleton, failed, empty, found, ref, children } = props
  if (list.entries === null) {
    if (list.failure === null)
      return (
        <Card aria-label={label}>
          <p role="status" className="sr-only">
            {loading}
          </p>
          {skeleton}
        </Card>
      )
    return (
      <LoadFailure title={failed} reason={list.failure} isRetrying={list.isFetching} onRetry={list.retry} />
    )
  }
  if (list.entries.length === 0) return empty
  return (
    <>
      {found && !list.isOutdated && (
        <p role="status" className="sr-only">
          {found(list.entries.length)} found{list.end.hasMore ? ', and more' : ''}
        </p>
      )}
      <Card
        ref={ref}
        aria-label={label}
        aria-busy={list.isOutdated}
        className={classes('transition-opacity', list.isOutdated && 'opacity-60')}
      >
        {children(list.entries)}
        <LoadMore {...list.end} />
      </Card>
    </>
  )
}
