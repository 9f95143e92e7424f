import { Link } from 'wouter'
import { usePageTitle } from '../shell/page-title.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchInput } from '../ui/search-input.tsx'
import { quietLink } from '../ui/text-link.ts'
import { FilterButton } from './filter-button.tsx'
import { SEARCH_MAX } from './history-filter.ts'
import { HistoryList } from './history-list.tsx'
import { useHistoryFilter } from './use-history-filter.ts'
import { useKeptScroll } from './use-kept-scroll.ts'

export function HistoryPage() {
  usePageTitle('Email History')
  useKeptScroll()
  const { filter, typed, setTyped, choose, clear } = useHistoryFilter()
  return (
    <>
      <PageHeader
        title="Email History"
        subtitle="Track all your sent emails and their status"
        action={
          <Link href="/suppressions" state={{ from: 'history' }} className={quietLink}>
            Suppression List
          </Link>
        }
      />
      <div className="mb-4 flex gap-2">
        <SearchInput
          label="Search emails by subject or recipient"
          placeholder="Search emails..."
          value={typed}
          onValueChange={setTyped}
          maxLength={SEARCH_MAX}
          className="min-w-0 grow md:max-w-96"
        />
        <FilterButton filter={filter} onChoose={choose} />
      </div>
      <HistoryList filter={filter} onClear={clear} />
    </>
  )
}
