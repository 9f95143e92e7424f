import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { InboxItem } from '../../contract/inbox.ts'
import { isTyping } from '../shell/use-shortcuts.ts'

interface Keyed {
  items: readonly InboxItem[]
  /** The message on the screen, as far as it is known. */
  shown: () => InboxItem | undefined
  list: RefObject<HTMLElement | null>
  open: (item: InboxItem) => void
  close: () => void
  reply: (item: InboxItem) => void
  archive: (item: InboxItem) => void
  markUnread: (item: InboxItem) => void
  remove: (item: InboxItem) => void
}

export const rowOf = (list: HTMLElement | null, messageId: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`) ?? null

const focusedId = (): string | null =>
  document.activeElement?.closest<HTMLElement>('[data-message]')?.dataset['message'] ?? null

/**
 * J and K move through the list, and what the other keys do is done to the row that has the focus, else to the message
 * on the screen. Enter needs nothing: rows are links. All of them rest while somebody types or answers a dialog.
 */
export function useInboxKeys(keyed: Keyed): void {
  const current = useRef(keyed)
  // As soon as it is drawn: a key may come before React gets round to other effects.
  useLayoutEffect(() => {
    current.current = keyed
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isMeant = !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented
      if (!isMeant || isTyping(event.target)) return
      // A key that is held moves on and on, but does to one message what was meant for it.
      if (event.repeat && !MOVES.has(event.key)) return
      if (act(event.key, current.current)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

const MOVES = new Set(['j', 'k', 'ArrowDown', 'ArrowUp'])

/** Answers whether the key means anything here. */
function act(key: string, keyed: Keyed): boolean {
  const { items } = keyed
  const shown = keyed.shown()
  const id = focusedId() ?? shown?.messageId
  const item = items.find(({ messageId }) => messageId === id) ?? shown
  switch (key) {
    case 'j':
      return move(keyed, item, 1)
    case 'k':
      return move(keyed, item, -1)
    case 'ArrowDown':
      return focusedId() !== null && move(keyed, item, 1)
    case 'ArrowUp':
      return focusedId() !== null && move(keyed, item, -1)
    case 'Escape':
      return shown !== undefined && done(keyed.close)
    case 'r':
      return item !== undefined && done(() => keyed.reply(item))
    case 'e':
      return item !== undefined && done(() => keyed.archive(item))
    case 'u':
      return item !== undefined && done(() => keyed.markUnread(item))
    case '#':
    case 'Delete':
      return item !== undefined && done(() => keyed.remove(item))
    default:
      return false
  }
}

function done(what: () => void): true {
  what()
  return true
}

function move({ items, list, open }: Keyed, from: InboxItem | undefined, step: 1 | -1): boolean {
  const index = from ? items.findIndex(({ messageId }) => messageId === from.messageId) : -1
  const next = items[index < 0 ? 0 : index + step]
  if (!next) return items.length > 0
  const row = rowOf(list.current, next.messageId)
  // Where the message has the screen for itself there is no list to move in.
  if (row?.checkVisibility()) row.focus()
  else open(next)
  return true
}
