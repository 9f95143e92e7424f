import { deliveryTag } from '../delivery/identity.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { DeliveryTokens } from '../delivery/tokens.ts'
import type { Database } from '../platform/database.ts'
import * as store from './store.ts'

export type { Subscriber } from './store.ts'

/** Leaving a user's mails, by the token that each of them carries. All answer null to a token that is nobody's. */
export type Unsubscribing = {
  find(token: string): Promise<store.Subscriber | null>
  /** From the answer on nothing more is sent, queued or not; doing it again changes nothing. */
  unsubscribe(token: string): Promise<store.Subscriber | null>
  /** Takes back an unsubscription, and no other reason for which somebody gets no mail. */
  undo(token: string): Promise<store.Subscriber | null>
}

type Needs = {
  db: Database
  delivery: Pick<DeliveryService, 'record' | 'leaveOut'>
  tokens: Pick<DeliveryTokens, 'readLinkToken'>
}

export function createUnsubscribing({ db, delivery, tokens }: Needs): Unsubscribing {
  async function find(token: string): Promise<store.Subscriber | null> {
    const key = tokens.readLinkToken(token)
    return key && store.findSubscriber(db, key)
  }

  return {
    find,

    async unsubscribe(token) {
      const key = tokens.readLinkToken(token)
      const subscriber = key && (await store.findSubscriber(db, key))
      if (!key || !subscriber) return null
      // The event alone would not do: it is no news any more to whoever has come back and leaves a second time.
      await store.addUnsubscribed(db, subscriber, key)
      await delivery.leaveOut(subscriber.userId, [subscriber.addressKey])
      const tag = deliveryTag(key.campaignId, key.seq)
      await delivery.record(null, [
        { id: `${tag} unsubscribed`, tag, at: new Date(), words: null, kind: 'unsubscribed' },
      ])
      return store.findSubscriber(db, key)
    },

    async undo(token) {
      const subscriber = await find(token)
      if (!subscriber) return null
      await store.removeUnsubscribed(db, subscriber)
      return find(token)
    },
  }
}
