import type { ReactNode, RefObject } from 'react'
import { ListCard } from '../ui/list-card.tsx'
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
  searchBox: RefObject<HTMLInputElement | null>
  /** The screen's main action, for the empty list. */
  add: ReactNode
}

export function SuppressionsList({ list, filter, onClear, searchBox, add }: SuppressionsListProps) {
  const { asked, ask, close, nextRow, table } = useRemoval(list.entries)
  const isSearched = isFiltered(filter)
  return (
    <>
      <ListCard
        ref={table}
        label="Suppressed addresses"
        list={list}
        loading="Loading the suppression list"
        skeleton={<SuppressionsSkeleton />}
        failed="The suppression list could not be loaded"
        empty={
          isSearched ? (
            <NothingMatches onClear={onClear} returnFocusTo={() => searchBox.current} />
          ) : (
            <NobodySuppressed add={add} />
          )
        }
        found={isSearched ? (count) => counted(count, 'address', 'addresses') : null}
      >
        {(entries) => (
          <Table label="Suppressed addresses" columns={COLUMNS}>
            {entries.map((entry) => (
              <SuppressionRow key={entry.address} entry={entry} onRemove={ask} />
            ))}
          </Table>
        )}
      </ListCard>
      <RemoveDialog entry={asked} onClose={close} returnFocusTo={nextRow} />
    </>
  )
}
