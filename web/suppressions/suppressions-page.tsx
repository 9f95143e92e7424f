import { Download, Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { SUPPRESSIONS_CSV } from '../api/suppressions.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { Button } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { Select } from '../ui/select.tsx'
import { AddDialog } from './add-dialog.tsx'
import { BackLink } from './back-link.tsx'
import { REASON_OPTIONS } from './reason-words.ts'
import { isFiltered, SEARCH_MAX } from './suppressions-filter.ts'
import { SuppressionsList } from './suppressions-list.tsx'
import { useSuppressions } from './use-suppressions.ts'
import { useSuppressionsFilter } from './use-suppressions-filter.ts'

export function SuppressionsPage() {
  usePageTitle('Suppression List')
  const { filter, typed, setTyped, choose, clear } = useSuppressionsFilter()
  const list = useSuppressions(filter)
  const [isAdding, setIsAdding] = useState(false)
  const searchBox = useRef<HTMLInputElement>(null)
  const isEmpty = list.entries?.length === 0 && !isFiltered(filter) && typed === ''
  const add = (
    <Button variant="primary" onClick={() => setIsAdding(true)} returnFocusTo="around">
      <Plus aria-hidden="true" className="size-4" />
      Add Addresses
    </Button>
  )
  return (
    <>
      <BackLink />
      <PageHeader
        title="Suppression List"
        subtitle="People you no longer write to: every email leaves them out"
        // On the empty screen the button stands below, and there is nothing to export.
        action={
          !isEmpty && (
            <div className="flex flex-wrap gap-2">
              <Button asChild>
                <a href={SUPPRESSIONS_CSV} download>
                  <Download aria-hidden="true" className="size-4" />
                  Export CSV
                </a>
              </Button>
              {add}
            </div>
          )
        }
      />
      {!isEmpty && (
        <div className="mb-4 flex flex-wrap gap-2">
          <SearchInput
            box={searchBox}
            label="Search the list by address"
            placeholder="Search addresses..."
            value={typed}
            onValueChange={setTyped}
            maxLength={SEARCH_MAX}
            className="min-w-0 grow basis-60 md:max-w-96"
          />
          <div className="grow md:w-56 md:grow-0">
            <Select
              aria-label="Filter by reason"
              options={REASON_OPTIONS}
              value={filter.reason ?? 'all'}
              onValueChange={(reason) => choose(reason === 'all' ? null : reason)}
            />
          </div>
        </div>
      )}
      <SuppressionsList list={list} filter={filter} onClear={clear} searchBox={searchBox} add={add} />
      <AddDialog open={isAdding} onOpenChange={setIsAdding} />
    </>
  )
}
