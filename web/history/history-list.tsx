import { messageOf } from '../api/client.ts'
import { useIsPlainSmtp } from '../api/settings.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { deliveryWords } from '../ui/rate-words.ts'
import { Table } from '../ui/table.tsx'
import { counted } from '../ui/words.ts'
import { columnsWith } from './history-columns.ts'
import { NothingMatches, NothingSent } from './history-empty.tsx'
import { isFiltered, type ListFilter } from './history-filter.ts'
import { HistoryRow } from './history-row.tsx'
import { HistorySkeleton } from './history-skeleton.tsx'
import { useHistoryList } from './use-history-list.ts'

const NOT_UNDERSTOOD = 'Postrider gave an answer that this page does not understand.'

export function HistoryList({ filter, onClear }: { filter: ListFilter; onClear: () => void }) {
  const list = useHistoryList(filter)
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
      <Alert
        tone="danger"
        title="Your sent emails could not be loaded"
        action={
          <Button pending={list.isFetching} onClick={list.retry}>
            Try again
          </Button>
        }
      >
        {messageOf(list.error, NOT_UNDERSTOOD)}
      </Alert>
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
          error={list.moreError === null ? null : messageOf(list.moreError, NOT_UNDERSTOOD)}
          onMore={list.loadMore}
        />
      </Card>
    </>
  )
}
