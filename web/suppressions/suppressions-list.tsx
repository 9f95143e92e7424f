import type { ReactNode, RefObject } from 'react'
import type { Suppression } from '../../contract/suppressions.ts'
import { messageOf } from '../api/client.ts'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { Table } from '../ui/table.tsx'
import { counted } from '../ui/words.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { SuppressionRow } from './suppression-row.tsx'
import { COLUMNS } from './suppressions-columns.ts'
import { NobodySuppressed, NothingMatches } from './suppressions-empty.tsx'
import { isFiltered, type ListFilter } from './suppressions-filter.ts'
import { SuppressionsSkeleton } from './suppressions-skeleton.tsx'
import { useRemoval } from './use-removal.ts'
import type { SuppressionsModel } from './use-suppressions.ts'

interface SuppressionsListProps {
  list: SuppressionsModel
  filter: ListFilter
  onClear: () => void
  /** The screen's main action, for the empty list. */
  add: ReactNode
}

export function SuppressionsList(props: SuppressionsListProps) {
  const { asked, ask, close, nextRow, table } = useRemoval(props.list.entries)
  return (
    <>
      <Content {...props} onRemove={ask} table={table} />
      <RemoveDialog entry={asked} onClose={close} returnFocusTo={nextRow} />
    </>
  )
}

type ContentProps = SuppressionsListProps & {
  onRemove: (entry: Suppression) => void
  table: RefObject<HTMLElement | null>
}

function Content({ list, filter, onClear, add, onRemove, table }: ContentProps) {
  if (list.entries === null) {
    if (!list.error)
      return (
        <Card aria-label="Suppressed addresses">
          <p role="status" className="sr-only">
            Loading the suppression list
          </p>
          <SuppressionsSkeleton />
        </Card>
      )
    return (
      <LoadFailure
        title="The suppression list could not be loaded"
        reason={messageOf(list.error)}
        isRetrying={list.isFetching}
        onRetry={list.retry}
      />
    )
  }
  if (list.entries.length === 0)
    return isFiltered(filter) ? <NothingMatches onClear={onClear} /> : <NobodySuppressed add={add} />
  return (
    <>
      {isFiltered(filter) && !list.isOutdated && (
        <p role="status" className="sr-only">
          {counted(list.entries.length, 'address', 'addresses')} found{list.hasMore ? ', and more' : ''}
        </p>
      )}
      <Card
        ref={table}
        aria-label="Suppressed addresses"
        aria-busy={list.isOutdated}
        className={classes('transition-opacity', list.isOutdated && 'opacity-60')}
      >
        <Table label="Suppressed addresses" columns={COLUMNS}>
          {list.entries.map((entry) => (
            <SuppressionRow key={entry.address} entry={entry} onRemove={onRemove} />
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
