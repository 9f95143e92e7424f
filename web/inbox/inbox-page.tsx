import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { InboxItem } from '../../contract/inbox.ts'
import { messageOf } from '../api/client.ts'
import { type MessagePlace, messageQuery } from '../api/inbox.ts'
import { readAround } from '../api/inbox-live.ts'
import { classes } from '../ui/classes.ts'
import { toast } from '../ui/toast-store.ts'
import { InboxHeader } from './inbox-header.tsx'
import { filterOf } from './inbox-view.ts'
import { MessageList } from './message-list.tsx'
import { MessagePane } from './message-pane.tsx'
import { MissedMail } from './missed-mail.tsx'
import { NothingSelected } from './nothing-selected.tsx'
import { messagePane, panes, whereOpen } from './panes.ts'
import { useInboxKeys } from './use-inbox-keys.ts'
import { useInboxList } from './use-inbox-list.ts'
import { useInboxView } from './use-inbox-view.ts'
import { useKeptPlace, useKeptScroll } from './use-kept-place.ts'
import { useKeptRow } from './use-kept-row.ts'
import { useMessageActions } from './use-message-actions.ts'
import { useNews } from './use-news.ts'
import { useReplyWish } from './use-reply-wish.ts'
import { useUnreadTitle } from './use-unread-title.ts'

const NONE: readonly InboxItem[] = []

export function InboxPage() {
  const client = useQueryClient()
  const { view, typed, setTyped, wayOptions, open, close, clearSearch, isShown } = useInboxView()
  const list = useInboxList(filterOf(view))
  const items = list.items ?? NONE
  const actions = useMessageActions()
  const scroller = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  useUnreadTitle()

  const openId = view.open?.messageId ?? null
  const [wish, setWish] = useReplyWish(openId)
  const item = items.find(({ messageId }) => messageId === openId)
  useKeptRow(scroller, items, openId)
  useKeptScroll(scroller, openId !== null)
  const arrived = useKeptPlace(scroller, items)
  const [news, say] = useNews()

  /** What takes a message away, or leaves it unread, also takes it off the screen. */
  const andClose = (act: (of: InboxItem) => void) => (of: InboxItem) => {
    act(of)
    if (isShown(of)) close()
  }
  useInboxKeys({
    ...{ items, list: scroller, open, close },
    shown: () => item ?? (view.open ? client.getQueryData(messageQuery(view.open).queryKey) : undefined),
    reply: (of) => {
      if (!isShown(of)) open(of)
      setWish(of.messageId)
    },
    archive: andClose(actions.archive),
    markUnread: andClose(actions.markUnread),
    remove: andClose(actions.remove),
  })

  const onDone = (place: MessagePlace) => {
    if (isShown(place)) close()
  }
  const refresh = async () => {
    readAround(client)
    const { error } = await list.refresh()
    if (!error) say('Your messages are up to date')
    else
      toast({
        title: 'Failed to Refresh',
        description: messageOf(error, 'Please try again'),
        variant: 'destructive',
      })
  }

  return (
    <div className="@container">
      <InboxHeader
        list={list}
        searchBox={searchBox}
        typed={typed}
        onTyped={setTyped}
        isOpen={view.open !== null}
        onRefresh={() => void refresh()}
      />
      <p role="status" className="sr-only">
        <span key={news.count}>{news.words}</span>
      </p>
      <MissedMail isOpen={view.open !== null} />
      <div className={panes}>
        <MessageList
          view={view}
          list={list}
          wayOptions={wayOptions}
          onClearSearch={clearSearch}
          searchBox={searchBox}
          scroller={scroller}
          arrived={arrived}
        />
        <section
          ref={pane}
          aria-label="Message"
          className={classes(messagePane, view.open === null && whereOpen.gone)}
        >
          {view.open ? (
            <MessagePane
              key={openId}
              place={view.open}
              item={item}
              actions={actions}
              pane={pane}
              onClose={close}
              replying={{
                isWished: wish === openId,
                wish: () => setWish(openId),
                onWritten: () => setWish(null),
                onDone,
                open,
              }}
            />
          ) : (
            <NothingSelected isListEmpty={list.items?.length === 0 && !list.hasMore} />
          )}
        </section>
      </div>
    </div>
  )
}
