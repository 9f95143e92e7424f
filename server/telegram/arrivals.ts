import type { Update } from 'grammy/types'
import type { Database } from '../platform/database.ts'
import type { Notices } from '../platform/notices.ts'
import { type Arrival, keepUpdates } from './store/updates.ts'

/** What we ask Telegram for; anything else it would tell for nothing. */
export const WANTED = ['message', 'callback_query', 'my_chat_member'] as const

/** Nobody's in particular: it tells the processes that handle updates that there are some. */
export const ARRIVED = { userId: '', kind: 'telegram-update', id: '' }

export type Arrivals = {
  /** Answers when they are stored for good. */
  take(updates: readonly Update[]): Promise<void>
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
      await keepUpdates(db, botId, updates.flatMap(arrivalOf))
      notices.publish(ARRIVED)
    },
  }
}

function arrivalOf(update: Update): Arrival[] {
  const from = update.message?.from ?? update.callback_query?.from ?? update.my_chat_member?.from
  // A post of a channel is nobody's, and nothing that we were asked.
  return from ? [{ updateId: update.update_id, telegramUserId: from.id, content: update }] : []
}
