import type { RefObject } from 'react'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { ListCard } from '../ui/list-card.tsx'
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
  searchBox: RefObject<HTMLInputElement | null>
}

export function HistoryList({ list, filter, onClear, searchBox }: HistoryListProps) {
  const isSearched = isFiltered(filter)
  return (
    <ListCard
      label="Sent emails"
      list={list}
      loading="Loading your sent emails"
      skeleton={<HistorySkeleton />}
      failed="Your sent emails could not be loaded"
      empty={
        isSearched ? (
          <NothingMatches onClear={onClear} returnFocusTo={() => searchBox.current} />
        ) : (
          <NothingSent />
        )
      }
      found={isSearched ? (count) => counted(count, 'email') : null}
    >
      {(entries) => (
        <Table label="Sent emails" columns={columnsFor(entries)}>
          {entries.map((entry) => (
            <HistoryRow key={entry.id} entry={entry} />
          ))}
        </Table>
      )}
    </ListCard>
  )
}

const columnsFor = (entries: readonly HistoryEntry[]) =>
  columnsWith(deliveryWords(entries.some(({ isDeliveryPresumed }) => isDeliveryPresumed)))
