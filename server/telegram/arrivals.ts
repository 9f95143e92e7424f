import type { Update } from 'grammy/types'
import type { Database } from '../platform/database.ts'
import type { Notices } from '../platform/notices.ts'
import { findNewCopy } from './store/bots.ts'
import { type Arrival, keepUpdates } from './store/updates.ts'

/** What we ask Telegram for; anything else it would tell for nothing. */
export const WANTED = ['message', 'callback_query', 'my_chat_member'] as const

/** Nobody's in particular: it tells the processes that handle updates that there are some. */
export const ARRIVED = { userId: '', kind: 'telegram-update', id: '' }

export type Arrivals = {
  /**
   * Answers when they are stored for good. False where they are dropped: the database is another copy than the one that
   * the bot was introduced to, and what was said before may have been done already, as far as that copy knows.
   */
  take(updates: readonly Update[]): Promise<boolean>
}

export function createArrivals({
  db,
  botId,
  notices,
}: {
  db: Database
  botId: string
  notices: Pick<Notices, 'publish'>
}): Arrivals {
  return {
    async take(updates) {
      if ((await findNewCopy(db, botId)) !== null) return false
      await keepUpdates(db, botId, updates.flatMap(arrivalOf))
      notices.publish(ARRIVED)
      return true
    },
  }
}

function arrivalOf(update: Update): Arrival[] {
  const from = update.message?.from ?? update.callback_query?.from ?? update.my_chat_member?.from
  // A post of a channel is nobody's, and nothing that we were asked.
  return from ? [{ updateId: update.update_id, telegramUserId: from.id, content: update }] : []
}
