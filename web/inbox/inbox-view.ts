import { InboxFolder } from '../../contract/inbox.ts'
import type { InboxFilter, MessagePlace } from '../api/inbox.ts'
import { searchIn } from '../ui/search-in.ts'

/** What the screen shows, as the page's address keeps it: reloading, sharing and going back lead to the same. */
export type InboxView = {
  folder: InboxFolder
  q: string
  /** Only what answers this campaign, in whichever folder; a search looks elsewhere again. */
  campaign: string | null
  open: MessagePlace | null
}

export const INBOX_PATH = '/inbox'
/** The longest that the server searches for. */
export const SEARCH_MAX = 200

const ID = /^[\w-]{1,100}$/
const PLACE = /^([\w-]{1,100})\.([\w-]{1,100})$/

/** Whatever somebody may have typed into the address bar: what makes no sense is left out. */
export function readView(search: string): InboxView {
  const query = new URLSearchParams(search)
  const folder = InboxFolder.safeParse(query.get('folder'))
  const [, inboxId, messageId] = PLACE.exec(query.get('message') ?? '') ?? []
  const q = searchIn(query, SEARCH_MAX)
  const campaign = query.get('campaign') ?? ''
  return {
    folder: folder.success ? folder.data : 'inbox',
    q,
    campaign: q === '' && ID.test(campaign) ? campaign : null,
    open: inboxId && messageId ? { inboxId, messageId } : null,
  }
}

export function pathOfView({ folder, q, campaign, open }: InboxView): string {
  const query = new URLSearchParams({
    ...(folder === 'inbox' ? {} : { folder }),
    ...(q === '' ? {} : { q }),
    ...(campaign === null || q !== '' ? {} : { campaign }),
    ...(open === null ? {} : { message: `${open.inboxId}.${open.messageId}` }),
  })
  return query.size === 0 ? INBOX_PATH : `${INBOX_PATH}?${query}`
}

/** What a way from here to a message keeps; from another screen, nothing. */
export const viewInSight = (): InboxView =>
  readView(window.location.pathname === INBOX_PATH ? window.location.search : '')

export const filterOf = ({ folder, q, campaign }: InboxView): InboxFilter => ({
  folder,
  ...(campaign === null ? {} : { campaign }),
  ...(q.trim() === '' ? {} : { q: q.trim() }),
})
