import { useRef } from 'react'
import { Link } from 'wouter'
import { usePageTitle } from '../shell/page-title.ts'
import { ComposeLink } from '../ui/compose-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { quietLink } from '../ui/text-link.ts'
import { FilterButton } from './filter-button.tsx'
import { isFiltered, SEARCH_MAX } from './history-filter.ts'
import { HistoryList } from './history-list.tsx'
import { useHistoryFilter } from './use-history-filter.ts'
import { useHistoryList } from './use-history-list.ts'
import { useKeptScroll } from './use-kept-scroll.ts'

export function HistoryPage() {
  usePageTitle('Email History')
  useKeptScroll()
  const { filter, typed, setTyped, choose, clear } = useHistoryFilter()
  const list = useHistoryList(filter)
  const searchBox = useRef<HTMLInputElement>(null)
  const isEmpty = list.entries?.length === 0 && !isFiltered(filter)
  return (
    <>
      <PageHeader
        title="Email History"
        subtitle="Track all your sent emails and their status"
        action={
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Link href="/suppressions" state={{ from: 'history' }} className={quietLink}>
              Suppression List
            </Link>
            {/* On the empty screen the button stands below. */}
            {!isEmpty && <ComposeLink />}
          </div>
        }
      />
      <div className="mb-4 flex gap-2">
        <SearchInput
          box={searchBox}
          label="Search emails by subject or recipient"
          placeholder="Search emails..."
          value={typed}
          onValueChange={setTyped}
          maxLength={SEARCH_MAX}
          className="min-w-0 grow md:max-w-96"
        />
        <FilterButton filter={filter} onChoose={choose} />
      </div>
      <HistoryList list={list} filter={filter} onClear={clear} searchBox={searchBox} />
    </>
  )
}
