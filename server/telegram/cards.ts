import { createHash } from 'node:crypto'
import type { Database } from '../platform/database.ts'
import type { Notices } from '../platform/notices.ts'
import { asSent } from './chat.ts'
import type { Message } from './markup.ts'
import { keepCard, stopCard } from './store/cards.ts'

/** There is a card to look after: told to whichever process does. */
export const CARD_NOTICE = 'telegram-card'

/** Messages that show a campaign, or the list of the latest, and change as those do. */
export type Cards = {
  /** This message becomes the card of that campaign, and follows it. */
  follow(linkId: string, messageId: number, campaignId: string): Promise<void>
  /** It shows this already; `campaignId` null for the list. */
  shows(
    linkId: string,
    messageId: number,
    view: { campaignId: string | null; message: Message; isMoving: boolean },
  ): Promise<void>
  /** It shows something else now, which nobody shall change. */
  rest(linkId: string, messageId: number): Promise<void>
}

export function createCards({ db, notices }: { db: Database; notices: Pick<Notices, 'publish'> }): Cards {
  async function keep(
    linkId: string,
    messageId: number,
    card: { campaignId: string | null; shown: string; isLive: boolean },
  ): Promise<void> {
    const userId = await keepCard(db, { linkId, messageId }, card)
    // What has changed between the showing and the keeping of it is seen by another look.
    if (userId && card.isLive) notices.publish({ userId, kind: CARD_NOTICE, id: card.campaignId ?? '' })
  }

  return {
    follow: (linkId, messageId, campaignId) =>
      keep(linkId, messageId, { campaignId, shown: '', isLive: true }),
    shows: (linkId, messageId, { campaignId, message, isMoving }) =>
      keep(linkId, messageId, { campaignId, shown: hashOf(message), isLive: isMoving }),
    rest: (linkId, messageId) => stopCard(db, { linkId, messageId }),
  }
}

/** Equal for messages that look the same. */
export const hashOf = (message: Message): string =>
  createHash('sha256')
    .update(JSON.stringify([message.text.html, asSent(message).reply_markup ?? null]))
    .digest('base64url')
