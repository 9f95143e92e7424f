import { InboxFolder } from '../../contract/inbox.ts'
import type { InboxFilter, MessagePlace } from '../api/inbox.ts'

/** What the screen shows, as the page's address keeps it: reloading, sharing and going back lead to the same. */
export type InboxView = { folder: InboxFolder; q: string; open: MessagePlace | null }

export const INBOX_PATH = '/inbox'
/** The longest that the server searches for. */
export const SEARCH_MAX = 200

const PLACE = /^([\w-]{1,100})\.([\w-]{1,100})$/

/** Whatever somebody may have typed into the address bar: what makes no sense is left out. */
export function readView(search: string): InboxView {
  const query = new URLSearchParams(search)
  const folder = InboxFolder.safeParse(query.get('folder'))
  const [, inboxId, messageId] = PLACE.exec(query.get('message') ?? '') ?? []
  return {
    folder: folder.success ? folder.data : 'inbox',
    q: (query.get('q') ?? '').slice(0, SEARCH_MAX),
    open: inboxId && messageId ? { inboxId, messageId } : null,
  }
}

export function pathOfView({ folder, q, open }: InboxView): string {
  const query = new URLSearchParams({
    ...(folder === 'inbox' ? {} : { folder }),
    ...(q === '' ? {} : { q }),
    ...(open === null ? {} : { message: `${open.inboxId}.${open.messageId}` }),
  })
  return query.size === 0 ? INBOX_PATH : `${INBOX_PATH}?${query}`
}

export const filterOf = ({ folder, q }: InboxView): InboxFilter => ({
  folder,
  ...(q.trim() === '' ? {} : { q: q.trim() }),
})
