import { readDeliveryTag } from '../delivery/identity.ts'
import type { DeliveryKey } from '../delivery/tokens.ts'
import type { Transaction } from '../platform/database.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import * as store from './store/threads.ts'

/** Where a message belongs: null is a conversation of its own, and no mail of ours. */
export type Place = { conversationId: string | null; delivery: DeliveryKey | null }

type Placing = {
  id: string
  userId: string
  /** By the token in the address that it came to: nobody but the recipient of that mail knows it. */
  delivery: DeliveryKey | null
  /** The ids that it answers, nearest last. */
  answeredIds: readonly string[]
  fromAddress: string
}

/** Finds what a message answers: by the token first, then by the nearest of the ids that anybody here knows. */
export async function placeOf(tx: Transaction, placing: Placing): Promise<Place> {
  const { id, userId, delivery, answeredIds } = placing
  const byToken =
    delivery && (await store.findOwnMails(tx, userId, { keys: [delivery], addressKey: null }))[0]
  if (byToken) return answerTo(tx, placing, byToken)
  if (answeredIds.length === 0) return NOWHERE
  const mails = await ownMails(tx, placing)
  const ids = answeredIds.filter((answered) => !isNumbered(answered))
  const messages = await store.findMessages(tx, userId, { ids, except: id })
  for (const answered of answeredIds.toReversed()) {
    const mail = mails.get(answered)
    if (mail) return answerTo(tx, placing, mail)
    const message = messages.find(({ messageId }) => messageId === answered)
    if (message) return { conversationId: message.conversationId, delivery: null }
  }
  const given = await mailByGivenId(tx, placing)
  return given ? answerTo(tx, placing, given) : NOWHERE
}

/**
 * Conversations of their own that a message brings along: they began with an answer to it before it was here. None by an
 * id as ours are, whoever has it: the answers to that mail are its recipient's.
 */
export async function earlyAnswers(
  tx: Transaction,
  userId: string,
  early: { messageId: string; except: string },
): Promise<string[]> {
  return isNumbered(early.messageId) ? [] : store.findEarlyAnswers(tx, userId, early)
}

const NOWHERE: Place = { conversationId: null, delivery: null }

async function answerTo(tx: Transaction, { id, userId }: Placing, mail: store.OwnMail): Promise<Place> {
  const { campaignId, seq, conversationId } = mail
  const delivery = { campaignId, seq }
  return {
    conversationId: conversationId ?? (await store.findSibling(tx, userId, delivery, id)),
    delivery,
  }
}

/**
 * By the ids that we have written ourselves. They are numbered, so that whoever got one knows those of all others: only
 * its recipient answers by it. Who writes from another address has the token, or a conversation of its own.
 */
async function ownMails(
  tx: Transaction,
  { userId, answeredIds, fromAddress }: Placing,
): Promise<Map<string, store.OwnMail>> {
  const address = parseMailAddress(fromAddress)
  if (!address) return new Map()
  const tagged = answeredIds.flatMap((id) => {
    const key = readDeliveryTag(localPart(id))
    return key ? [{ id, key }] : []
  })
  if (tagged.length === 0) return new Map()
  const keys = tagged.map(({ key }) => key)
  const found = await store.findOwnMails(tx, userId, { keys, addressKey: address.key })
  return new Map(
    tagged.flatMap(({ id, key }) => {
      const mail = found.find(({ campaignId, seq }) => campaignId === key.campaignId && seq === key.seq)
      return mail ? [[id, mail]] : []
    }),
  )
}

/** Some providers write an id of their own over ours, and tell it when they take the mail: whole, or its first half. */
async function mailByGivenId(
  tx: Transaction,
  { userId, answeredIds, fromAddress }: Placing,
): Promise<store.OwnMail | null> {
  const address = parseMailAddress(fromAddress)
  if (!address) return null
  const providerIds = answeredIds.flatMap((id) => [id.slice(1, -1), localPart(id)]).filter((id) => id !== '')
  const mails = await store.findByProviderIds(tx, userId, { addressKey: address.key, providerIds })
  return mails[0] ?? null
}

/** As we number our own mails: whoever got one can write those of all others, also as the id of a mail of theirs. */
const isNumbered = (messageId: string): boolean => readDeliveryTag(localPart(messageId)) !== null

const localPart = (messageId: string): string => messageId.slice(1, Math.max(messageId.lastIndexOf('@'), 1))
