import { randomUUID } from 'node:crypto'
import type { MailReader } from '../mail-reading/reading.ts'
import { every } from '../platform/clock.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Notices } from '../platform/notices.ts'
import { type AddressNeeds, createInboxAddresses, type InboxAddresses } from './addresses.ts'
import { identifyOnce } from './identity.ts'
import { createQuota, type InboxLimits, type Quota } from './quota.ts'
import { createReading, READ_MAIL } from './read-mail.ts'
import { findForgotten, insertArrival, insertSource } from './store/intake.ts'
import { findAnswerable } from './store/messages.ts'
import { forgetCounts, noteUnfetched, withdrawUnfetched } from './store/quota.ts'
import type { Envelope, InboxTarget } from './target.ts'

export type { Envelope, InboxTarget } from './target.ts'

/** What an answer to a message needs to know of it. */
export type MessageToAnswer = {
  id: string
  inboxId: string
  conversationId: string
  /** With brackets; empty where it has none. */
  messageId: string
  /** The ids that it answers itself, nearest last. */
  answeredIds: string[]
  from: { name: string; address: string }
  /** The one mailbox that an answer goes to; empty for none. */
  answersTo: string
  subject: string
  text: string | null
  /** The date that it gives itself, else that of its arrival. */
  writtenAt: Date
  isAutomatic: boolean
}

/** Mail that comes to the users: stored for good at once, read soon after; as much of it as its inbox may take. */
export type InboxService = Pick<InboxAddresses, 'targetOf' | 'ofUser' | 'replyToOf' | 'isInboxOf'> & {
  /** Whose inbox this address is: `name@domain`, or `name+token@domain`; null for nobody's. */
  targetOf(address: string): Promise<InboxTarget | null>
  /** The inbox of a user, made when it is first asked for. */
  ofUser(userId: string): Promise<{ inboxId: string; address: string }>
  /** Throws 503 where this inbox takes nothing more for now: asked before anybody sends the mail. */
  admit(target: InboxTarget): Promise<void>
  /** The owner is told that a mail stayed with the provider. */
  noteMissed: Quota['note']
  /** A provider told of a mail, which could not be had from it: the owners are told unless it comes soon. */
  noteUnfetched(inboxIds: readonly string[], mail: string): Promise<void>
  /** It could be had after all. */
  withdrawUnfetched(inboxIds: readonly string[], mail: string): Promise<void>
  /** Answers once the mail is stored for good. The same mail again changes nothing; 503 where there is no room for it. */
  take(raw: Buffer, envelope: Envelope, target: InboxTarget): Promise<void>
  /** Null for a message that is absent, or another's. */
  toAnswer(userId: string, inboxId: string, messageId: string): Promise<MessageToAnswer | null>
  /** Takes up the reading of what has come. */
  work(): Promise<void>
  stop(): Promise<void>
}

type Dependencies = AddressNeeds & {
  jobs: Pick<Jobs, 'enqueue' | 'work'>
  reader: Pick<MailReader, 'read'>
  notices: Pick<Notices, 'publish'>
  limits: InboxLimits
  log: Log
}

const FORGOTTEN_MS = 60_000
const FORGOTTEN_AT_ONCE = 50

export function createInbox(dependencies: Dependencies): InboxService & { addresses: InboxAddresses } {
  const { db, jobs, reader, notices, log } = dependencies
  const addresses = createInboxAddresses(dependencies)
  const read = createReading({ db, reader, notices, log })
  const quota = createQuota(dependencies)
  let stopLooking = () => {}
  let isStopped = false
  let looking = Promise.resolve()

  /** A job can get lost where a database was restored from a backup; the row says what is to be done. */
  async function readForgotten(): Promise<void> {
    await forgetCounts(db)
    for (const id of await findForgotten(db, FORGOTTEN_AT_ONCE))
      if (!isStopped)
        // The others do not wait for one that fails.
        await read(id).catch((error: unknown) => log.warn({ err: error, message: id }, 'a mail was not read'))
  }

  return {
    addresses,
    targetOf: addresses.targetOf,
    ofUser: addresses.ofUser,
    replyToOf: addresses.replyToOf,
    isInboxOf: addresses.isInboxOf,

    admit: ({ inboxId }) => quota.noting(inboxId, () => quota.check(db, inboxId, 0)),
    noteMissed: quota.note,
    noteUnfetched: (inboxIds, mail) => noteUnfetched(db, inboxIds, mail),
    withdrawUnfetched: (inboxIds, mail) => withdrawUnfetched(db, inboxIds, mail),

    async take(raw, envelope, target) {
      const { identity, messageId } = await identifyOnce(raw)
      const id = randomUUID()
      const named = { from: oneLine(envelope.from), to: oneLine(envelope.to) }
      const { inboxId } = target
      await quota.noting(inboxId, () =>
        db.transaction().execute(async (tx) => {
          if (!(await insertArrival(tx, { id, target, envelope: named, identity, messageId }))) return
          await quota.check(tx, inboxId, raw.length)
          await insertSource(tx, id, raw)
          await jobs.enqueue(tx, READ_MAIL, { id })
          // At the end, since mails to the same inbox wait for each other here.
          await quota.count(tx, inboxId, raw.length)
        }),
      )
    },

    async toAnswer(userId, inboxId, messageId) {
      const row = await findAnswerable(db, { userId, inboxId, messageId })
      if (!row) return null
      const { fromName, fromAddress, ...message } = row
      return { ...message, from: { name: fromName, address: fromAddress } }
    },

    async work() {
      await jobs.work(READ_MAIL, ({ id }) => read(id))
      looking = readForgotten()
      looking.catch((error: unknown) => log.debug({ err: error }, 'mail that waits was not looked for'))
      stopLooking = every(FORGOTTEN_MS, log, () => (looking = readForgotten()))
    },

    async stop() {
      isStopped = true
      stopLooking()
      await looking.catch(() => {})
    },
  }
}

const ADDRESS_MAX = 320
const oneLine = (address: string): string =>
  address
    .replace(/\p{Cc}/gu, '')
    .slice(0, ADDRESS_MAX)
    .toWellFormed()
