import { messageOf } from '../api/client.ts'
import { useIsPlainSmtp } from '../api/settings.ts'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { deliveryWords } from '../ui/rate-words.ts'
import { Table } from '../ui/table.tsx'
import { counted } from '../ui/words.ts'
import { columnsWith } from './history-columns.ts'
import { NothingMatches, NothingSent } from './history-empty.tsx'
import { isFiltered, type ListFilter } from './history-filter.ts'
import { HistoryRow } from './history-row.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'
import type { useHistoryList } from './use-history-list.ts'

interface HistoryListProps {
  list: ReturnType<typeof useHistoryList>
  filter: ListFilter
  onClear: () => void
}

export function HistoryList({ list, filter, onClear }: HistoryListProps) {
  const columns = columnsWith(deliveryWords(useIsPlainSmtp()))
  if (list.entries === null) {
    if (!list.error)
      return (
        <Card aria-label="Sent emails">
          <p role="status" className="sr-only">
            Loading your sent emails
          </p>
          <HistorySkeleton />
        </Card>
      )
    return (
      <LoadFailure
        title="Your sent emails could not be loaded"
        reason={messageOf(list.error)}
        isRetrying={list.isFetching}
        onRetry={list.retry}
      />
    )
  }
  if (list.entries.length === 0)
    return isFiltered(filter) ? <NothingMatches onClear={onClear} /> : <NothingSent />
  return (
    <>
      {isFiltered(filter) && !list.isOutdated && (
        <p role="status" className="sr-only">
          {counted(list.entries.length, 'email')} found{list.hasMore ? ', and more' : ''}
        </p>
      )}
      <Card
        aria-label="Sent emails"
        aria-busy={list.isOutdated}
        className={classes('transition-opacity', list.isOutdated && 'opacity-60')}
      >
        <Table label="Sent emails" columns={columns}>
          {list.entries.map((entry) => (
            <HistoryRow key={entry.id} entry={entry} />
          ))}
        </Table>
        <LoadMore
          hasMore={list.hasMore}
          isLoading={list.isLoadingMore}
          isBusy={list.isFetching}
          error={list.moreError === null ? null : messageOf(list.moreError)}
          onMore={list.loadMore}
        />
      </Card>
    </>
  )
}
