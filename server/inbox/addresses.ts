import { randomInt } from 'node:crypto'
import type { InboxAddress } from '../../contract/inbox.ts'
import type { DeliveryTokens } from '../delivery/tokens.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { withAsciiDomain } from './ascii-domain.ts'
import { isKept, isName, namesFor } from './names.ts'
import * as store from './store/addresses.ts'
import type { InboxTarget } from './target.ts'

/** Where the mail of each user comes to. */
export type InboxAddresses = {
  targetOf(address: string): Promise<InboxTarget | null>
  ofUser(userId: string): Promise<{ inboxId: string; address: string }>
  /** Where answers come to the inbox of this user; null where this installation receives no mail. */
  replyToOf(userId: string): Promise<string | null>
  /** Whether mail to this address comes to the inbox of this user. */
  isInboxOf(userId: string, address: string): Promise<boolean>
  show(userId: string): Promise<InboxAddress>
  /** Once; mail to the old name still arrives. */
  rename(userId: string, name: string): Promise<InboxAddress>
}

export type AddressNeeds = {
  db: Database
  tokens: Pick<DeliveryTokens, 'readLinkToken'>
  /** Whose mail reaches us. */
  domain: string
  mailFrom: string
  isReceiving: boolean
}

export function createInboxAddresses({
  db,
  tokens,
  domain,
  mailFrom,
  isReceiving,
}: AddressNeeds): InboxAddresses {
  const isFree = (name: string): boolean => isName(name) && !isKept(name, mailFrom)

  async function find(userId: string): Promise<store.InboxRow> {
    return (await store.findInbox(db, userId)) ?? (await create(userId))
  }

  async function create(userId: string): Promise<store.InboxRow> {
    const owner = await store.findOwner(db, userId)
    if (!owner) throw notFound('user')
    return db.transaction().execute(async (tx) => {
      const inboxId = await store.lockInbox(tx, userId)
      // Somebody else of the same user may have been here first.
      return (await store.findInbox(tx, userId)) ?? nameFirst(tx, inboxId, owner)
    })
  }

  async function nameFirst(tx: Transaction, inboxId: string, owner: store.Owner): Promise<store.InboxRow> {
    for (const name of namesFor(owner, randomInt))
      if (isFree(name) && (await store.addName(tx, inboxId, name)))
        return { inboxId, name, wasChanged: false }
    throw new Error('no name was free for an inbox')
  }

  const shown = ({ name, wasChanged }: store.InboxRow): InboxAddress => ({
    address: `${name}@${domain}`,
    isChangeable: !wasChanged,
    isReceiving,
  })

  async function targetOf(written: string): Promise<InboxTarget | null> {
    const address = withAsciiDomain(written)
    const at = address.lastIndexOf('@')
    if (address.slice(at + 1).toLowerCase() !== domain) return null
    const local = address.slice(0, Math.max(at, 0))
    const [name = ''] = local.toLowerCase().split('+', 1)
    const inbox = isName(name) ? await store.findByName(db, name) : null
    if (!inbox) return null
    // Its case counts: a server that changed it has lost the token, and the mail tells by its headers what it answers.
    const delivery = tokens.readLinkToken(local.slice(name.length + 1))
    const isOwn = delivery !== null && (await store.isCampaignOf(db, inbox.userId, delivery.campaignId))
    return { ...inbox, delivery: isOwn ? delivery : null }
  }

  return {
    targetOf,

    async ofUser(userId) {
      const { inboxId, name } = await find(userId)
      return { inboxId, address: `${name}@${domain}` }
    },

    replyToOf: async (userId) => (isReceiving ? shown(await find(userId)).address : null),

    isInboxOf: async (userId, address) => isReceiving && (await targetOf(address))?.userId === userId,

    show: async (userId) => shown(await find(userId)),

    async rename(userId, name) {
      const { inboxId } = await find(userId)
      if (!isName(name))
        throw new AppError(
          400,
          'A name has 3 to 15 letters from a to z, digits, and single dots or dashes between them',
        )
      if (isKept(name, mailFrom))
        throw new AppError(409, 'This name is kept for whoever runs this installation; please choose another')
      await db.transaction().execute(async (tx) => {
        await store.lockInbox(tx, userId)
        const now = await store.findInbox(tx, userId)
        if (now?.name === name) return
        if (now?.wasChanged)
          throw new AppError(409, 'Your inbox address has been changed already; that is possible once')
        await store.retireName(tx, inboxId)
        if (!(await store.addName(tx, inboxId, name)))
          throw new AppError(409, 'Somebody else has this name; please choose another')
      })
      return shown(await find(userId))
    },
  }
}
