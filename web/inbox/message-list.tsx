import { ArrowUp } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { counted } from '../ui/words.ts'
import { AnswersHead, NoAnswers } from './answers-head.tsx'
import { FOLDER_NAMES, FoldersNav } from './folders-nav.tsx'
import { type InboxView, pathOfView } from './inbox-view.ts'
import { ListEmpty } from './list-empty.tsx'
import { ListSkeleton } from './list-skeleton.tsx'
import { MessageRow } from './message-row.tsx'
import { listPane, listScroller, whereOpen } from './panes.ts'
import type { InboxList } from './use-inbox-list.ts'
import type { WayOptions } from './use-inbox-view.ts'
import type { useKeptPlace } from './use-kept-place.ts'

interface MessageListProps {
  view: InboxView
  list: InboxList
  wayOptions: WayOptions
  onClearSearch: () => void
  searchBox: RefObject<HTMLInputElement | null>
  scroller: RefObject<HTMLDivElement | null>
  arrived: ReturnType<typeof useKeptPlace>
}

export function MessageList(props: MessageListProps) {
  const { view, scroller, arrived, ...content } = props
  return (
    <Card
      aria-label="Messages"
      aria-busy={content.list.isOutdated}
      className={classes('block', listPane, view.open !== null && whereOpen.gone)}
    >
      <FoldersNav folder={view.campaign === null ? view.folder : null} q={view.q} />
      {view.campaign !== null && <AnswersHead campaignId={view.campaign} />}
      <div
        ref={scroller}
        className={classes(listScroller, content.list.items === null && 'overflow-hidden!')}
      >
        {arrived.above > 0 && (
          <div className="sticky top-16 z-10 flex h-0 justify-center @2xl:top-2">
            <Button size="sm" className="rounded-full! shadow-pop" onClick={arrived.toTop}>
              <ArrowUp aria-hidden="true" className="size-4" />
              {counted(arrived.above, 'new message')}
            </Button>
          </div>
        )}
        <Content view={view} {...content} />
      </div>
    </Card>
  )
}

function Content(props: Omit<MessageListProps, 'scroller' | 'arrived'>) {
  const { view, list, wayOptions, onClearSearch, searchBox } = props
  const { items } = list
  const isSearched = view.q.trim() !== ''
  if (items === null && list.failure !== null)
    return (
      <div className="p-3">
        <LoadFailure
          title="Your messages could not be loaded"
          reason={list.failure}
          isRetrying={list.isFetching}
          onRetry={list.retry}
        />
      </div>
    )
  if (items === null)
    return (
      <>
        <p role="status" className="sr-only">
          Loading your messages
        </p>
        <ListSkeleton />
      </>
    )
  if (items.length === 0 && !list.hasMore)
    return view.campaign === null ? (
      <ListEmpty
        folder={view.folder}
        isSearched={isSearched}
        onClear={onClearSearch}
        returnFocusTo={() => searchBox.current}
      />
    ) : (
      <NoAnswers />
    )
  return (
    <>
      {isSearched && !list.isOutdated && (
        <p role="status" className="sr-only">
          {counted(items.length, 'message')} found{list.hasMore ? ', and more' : ''}
        </p>
      )}
      <ul
        aria-label={view.campaign === null ? FOLDER_NAMES[view.folder] : 'Answers'}
        className={classes('divide-y divide-line transition-opacity', list.isOutdated && 'opacity-60')}
      >
        {items.map((item) => (
          <MessageRow
            key={item.messageId}
            item={item}
            href={pathOfView({ ...view, open: item })}
            wayOptions={wayOptions}
            isOpen={item.messageId === view.open?.messageId}
          />
        ))}
      </ul>
      <LoadMore {...list.end} />
    </>
  )
}
