import { statfs } from 'node:fs/promises'
import type { MissedReason } from '../../contract/inbox.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import * as store from './store/quota.ts'

/** What strangers may store here; 0 is no limit. */
export type InboxLimits = {
  daily: store.DailyLimits
  /** So much stays free where the database lies, for all else; null where that is not on this machine. */
  free: { folder: string; bytes: number } | null
}

/** Its sender may come again. */
class HeldOff extends AppError {
  readonly reason: keyof typeof SENTENCES

  constructor(reason: keyof typeof SENTENCES) {
    super(503, SENTENCES[reason], { headers: { 'retry-after': '3600' } })
    this.reason = reason
  }
}

/** Keeps what strangers send within limits. Whoever is held off hears that, and may come again; the owner is told. */
export type Quota = {
  /** Throws 503 where the inbox takes no mail of this size now. */
  check(at: Database | Transaction, inboxId: string, size: number): Promise<void>
  /** Counts a mail that is being stored, as the last step of it; throws like `check`. */
  count(tx: Transaction, inboxId: string, size: number): Promise<void>
  /** Notes it where one of these throws within: not from a transaction, which takes that back. */
  noting(inboxId: string, work: () => Promise<void>): Promise<void>
  /** The owner is told that something did not get in. */
  note(inboxId: string, reason: MissedReason): Promise<void>
}

type Needs = { db: Database; limits: InboxLimits; log: Log }

/** A disk does not fill up sooner. */
const LOOK_MS = 5_000
/** Somebody who is held off a thousand times is told of once. */
const NOTE_MS = 60_000
const NOTED_MAX = 10_000

export function createQuota({ db, limits: { daily, free }, log }: Needs): Quota {
  /** Those who come meanwhile wait for the first. */
  const noted = new Map<string, { at: number; written: Promise<void> }>()
  let looked = { at: Number.NEGATIVE_INFINITY, isFull: false }

  async function isFull(): Promise<boolean> {
    if (free === null || free.bytes === 0) return false
    const now = performance.now()
    if (now - looked.at < LOOK_MS) return looked.isFull
    try {
      const { bavail, bsize } = await statfs(free.folder)
      looked = { at: now, isFull: bavail * bsize < free.bytes }
    } catch (error) {
      log.debug({ err: error }, 'the free room of the disk could not be told; mail is taken all the same')
      looked = { at: now, isFull: false }
    }
    return looked.isFull
  }

  async function note(inboxId: string, reason: MissedReason): Promise<void> {
    const key = `${inboxId} ${reason}`
    const now = performance.now()
    const last = noted.get(key)
    if (last && now - last.at < NOTE_MS) return last.written
    if (noted.size >= NOTED_MAX) noted.clear()
    log.warn({ inbox: inboxId, reason }, 'mail to an inbox did not get in')
    const written = store.noteMissed(db, inboxId, reason)
    noted.set(key, { at: now, written })
    try {
      await written
    } catch (error) {
      // Nothing was told: whoever is asked again, as providers do, has to try again.
      if (noted.get(key)?.written === written) noted.delete(key)
      throw error
    }
  }

  return {
    async check(at, inboxId, size) {
      if (await isFull()) throw new HeldOff('no-room')
      if (!(await store.hasQuota(at, inboxId, size, daily))) throw new HeldOff('daily-limit')
    },
    async count(tx, inboxId, size) {
      if (!(await store.countArrival(tx, inboxId, size, daily))) throw new HeldOff('daily-limit')
    },
    async noting(inboxId, work) {
      try {
        await work()
      } catch (error) {
        if (error instanceof HeldOff) await note(inboxId, error.reason)
        throw error
      }
    },
    note,
  }
}

/** For whoever sends. */
const SENTENCES = {
  'daily-limit': 'This inbox has taken as much mail as it may today, please try again later',
  'no-room': 'There is no room for more mail here at the moment, please try again later',
}
