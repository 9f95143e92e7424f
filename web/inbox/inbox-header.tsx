import { RefreshCw } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { SearchInput } from '../ui/search-input.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { SEARCH_MAX } from './inbox-view.ts'
import { whereOpen } from './panes.ts'
import type { InboxList } from './use-inbox-list.ts'

interface InboxHeaderProps {
  list: InboxList
  searchBox: RefObject<HTMLInputElement | null>
  typed: string
  onTyped: (text: string) => void
  isOpen: boolean
  onRefresh: () => void
}

/** On a phone a message has the screen for itself; the heading then only stays for those who listen. */
export function InboxHeader({ list, searchBox, typed, onTyped, isOpen, onRefresh }: InboxHeaderProps) {
  return (
    <header
      className={classes(
        'mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3',
        isOpen && whereOpen.noGap,
      )}
    >
      <div className={classes('grid gap-1', isOpen && whereOpen.unseen)}>
        <h1 className="font-semibold text-xl">Inbox</h1>
        <p className="text-muted">Replies to the emails you send</p>
      </div>
      <div className={classes('flex min-w-0 grow gap-2 @2xl:max-w-88', isOpen && whereOpen.gone)}>
        <SearchInput
          box={searchBox}
          label="Search messages by sender, subject or text"
          placeholder="Search messages..."
          value={typed}
          onValueChange={onTyped}
          maxLength={SEARCH_MAX}
          className="min-w-0 grow"
        />
        <Tooltip text="Refresh">
          <Button
            variant="secondary"
            size="icon"
            aria-label="Refresh"
            aria-busy={list.isRefreshing || undefined}
            className="md:pointer-fine:size-10"
            onClick={onRefresh}
          >
            <RefreshCw
              aria-hidden="true"
              className={classes('size-4.5', list.isRefreshing && 'animate-spin')}
            />
          </Button>
        </Tooltip>
      </div>
    </header>
  )
}
