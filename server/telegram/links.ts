import { createHash, randomInt } from 'node:crypto'
import type { z } from 'zod'
import { LINK_CODE_MINUTES, type TelegramLinks } from '../../contract/telegram.ts'
import type { Database } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import type { Notices } from '../platform/notices.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import * as store from './store/links.ts'
import { knownZone } from './time-zones.ts'

export type { Person } from './store/links.ts'

type TelegramAccount = { id: string; firstName: string; username: string | null }

/** What became of a code that somebody typed: whose account it linked, or why it did not. */
export type Linked =
  | { outcome: 'linked'; email: string }
  | { outcome: 'unknown-code' }
  /** This Telegram account is linked to an account already, this one. */
  | { outcome: 'linked-before'; email: string }
  /** The account of the code is linked to another Telegram account. */
  | { outcome: 'account-taken'; email: string }

/** Which Telegram account speaks for which user. */
export type Links = {
  ofUser(userId: string): Promise<z.input<typeof TelegramLinks>>
  /** At this moment; null for nobody's. */
  personOf(telegramUserId: string): Promise<store.Person | null>
  makeCode(userId: string, timeZone: string): Promise<{ code: string; expiresAt: Date }>
  /** It is worth nothing any more. */
  dropCode(userId: string): Promise<void>
  /** Guesses are limited: past the limit it throws what to tell. */
  link(code: string, account: TelegramAccount): Promise<Linked>
  unlink(userId: string, telegramUserId: string): Promise<void>
  /** Keeps the name that Telegram shows; whoever writes has not blocked us. */
  seen(person: store.Person, account: TelegramAccount): Promise<void>
  setBlocked(telegramUserId: string, isBlocked: boolean): Promise<void>
}

type Dependencies = {
  db: Database
  limiter: Pick<RateLimiter, 'take' | 'reset'>
  notices: Pick<Notices, 'publish'>
}

/** Five tries, then one every two minutes. */
const GUESSES = { burst: 5, refillSeconds: 120 }
/** Without those that look like others: 16 of 32 signs carry 80 bits. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const CODE_SIGNS = 16
const NAME_MAX = 100

export function createLinks({ db, limiter, notices }: Dependencies): Links {
  const tell = (userId: string): void => notices.publish({ userId, kind: 'telegram', id: userId })

  return {
    ofUser: (userId) => store.listLinks(db, userId),
    personOf: (telegramUserId) => store.findPerson(db, telegramUserId),

    async makeCode(userId, timeZone) {
      if ((await store.listLinks(db, userId)).length > 0)
        throw new AppError(
          409,
          'A Telegram account is linked already. Unlink it first, then link the other one',
        )
      const code = newCode()
      const expiresAt = await store.keepCode(db, {
        userId,
        codeHash: hashOf(code),
        timeZone: knownZone(timeZone),
        minutes: LINK_CODE_MINUTES,
      })
      return { code, expiresAt }
    },

    dropCode: (userId) => store.dropCode(db, userId),

    async link(code, account) {
      const guesses = `telegram code ${account.id}`
      await limiter.take(guesses, GUESSES)
      const known = await store.findPerson(db, account.id)
      if (known) return { outcome: 'linked-before', email: known.email }
      const linked = await store.redeemCode(db, hashOf(code), named(account))
      if (linked.outcome !== 'linked') return linked
      await limiter.reset([guesses])
      tell(linked.userId)
      return { outcome: 'linked', email: linked.email }
    },

    async unlink(userId, telegramUserId) {
      // Telegram's have 16 digits at most; of more than 18 some are beyond what the database can hold.
      const isId = /^\d{1,18}$/.test(telegramUserId)
      if (!isId || !(await store.deleteLink(db, userId, telegramUserId))) throw notFound('link')
      tell(userId)
    },

    async seen(person, account) {
      const now = named(account)
      const isSame = person.firstName === now.firstName && person.username === now.username
      if (isSame && !person.isBlocked) return
      await store.renameLink(db, person.linkId, now)
      tell(person.userId)
    },

    async setBlocked(telegramUserId, isBlocked) {
      const userId = await store.setBlocked(db, telegramUserId, isBlocked)
      if (userId) tell(userId)
    },
  }
}

const newCode = (): string =>
  Array.from({ length: CODE_SIGNS }, () => SIGNS[randomInt(SIGNS.length)])
    .join('')
    .replace(/.{4}(?=.)/g, '$&-')

/** However somebody types it: in small letters, without the strokes, or with blanks. */
const hashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
    .digest()

const named = ({ id, firstName, username }: TelegramAccount): TelegramAccount => ({
  id,
  firstName: storable(firstName),
  username: username === null ? null : storable(username),
})

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, NAME_MAX)
