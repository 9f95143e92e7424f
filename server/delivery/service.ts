import type { ShownUnconfirmed } from '../../contract/campaigns.ts'
import type { CopyInto } from '../platform/copying.ts'
import type { Transaction } from '../platform/database.ts'
import { AppError, notFound } from '../platform/errors.ts'
import type { JobKind, Jobs } from '../platform/jobs.ts'
import type { ProviderEvent } from '../providers/events.ts'
import { createDispatcher, type DispatcherNeeds } from './dispatcher.ts'
import { createReports, type Shared } from './reports.ts'
import { letStepsEnd, pauseAllRestored, queueAgain, setRunState, sweepCancelled } from './store/changes.ts'
import { freeAccount } from './store/holds.ts'
import {
  type Intake,
  type NewRun,
  type Recipient,
  refreshStatistics,
  storeDeliveries,
} from './store/intake.ts'
import { findRun, listDeliveries, type RunRow } from './store/lists.ts'
import { findUnknown, leaveOutQueued } from './store/suppressed.ts'
import type { DeliveryRow } from './told.ts'

/** Wakes a worker for a campaign, at once or when its next try is due. The deliveries themselves say what is to do. */
export const DELIVER: JobKind<{ campaignId: string }> = {
  name: 'deliver',
  options: {
    notify: true,
    retryLimit: 5,
    retryDelay: 1,
    heartbeatSeconds: 15,
    expireInSeconds: 60,
    retentionSeconds: 24 * 3600,
    deleteAfterSeconds: 60,
  },
}

/** Up to here the planner's old statistics do no harm. */
const MANY = 2_000
/** After this a stop no longer waits for a provider's answer; the rest of its patience is for writing down. */
const DRAIN_MS = 22_000

export type DeliveryService = {
  /**
   * Stores one delivery for each recipient, and the job that sends them, in the transaction of the campaign. `atMost`
   * tells how many they can be, where that is known.
   */
  accept(
    tx: Transaction,
    copyInto: CopyInto,
    run: NewRun,
    recipients: AsyncIterable<readonly Recipient[]>,
    atMost?: number,
  ): Promise<Intake>
  /** After the commit of so many: nobody waits for it. */
  accepted(count: number): void
  pause(userId: string, campaignId: string): Promise<void>
  resume(userId: string, campaignId: string): Promise<void>
  cancel(userId: string, campaignId: string): Promise<void>
  /**
   * Sends again to those who were refused, or (after asking the user) to those of whom nothing is known: to nobody who is
   * not among those that were shown, where that is told.
   */
  retry(
    userId: string,
    campaignId: string,
    which: 'failed' | 'unconfirmed',
    shown?: ShownUnconfirmed,
  ): Promise<void>
  deliveries(campaignId: string, range: { after: number; limit: number }): Promise<DeliveryRow[]>
  /**
   * What a provider reported about deliveries that this account carried, or (null) what we have seen ourselves; the same
   * report twice changes nothing. Who must not be mailed any more is suppressed, and what is queued for them left out.
   */
  record(account: string | null, events: readonly ProviderEvent[]): Promise<void>
  /** Some have come onto a user's suppression list: what is queued for them anywhere is not sent any more. */
  leaveOut(userId: string, keys: readonly string[]): Promise<void>
  /** The credentials of an account have changed: its campaigns go on at once. */
  freeAccount(tx: Transaction, account: string): Promise<void>
  /** In a restored copy: every campaign that is under way waits for a person. */
  holdRestored(tx: Transaction): Promise<number>
  work(): Promise<void>
  stop(): Promise<void>
}

type Needs = Omit<DispatcherNeeds, 'retryIn'> & {
  jobs: Pick<Jobs, 'enqueue' | 'work'>
  shared: Shared
}

export function createDelivery(needs: Needs): DeliveryService {
  const { db, jobs, log, progressed } = needs
  const dispatcher = createDispatcher({
    ...needs,
    retryIn: (campaignId, milliseconds) =>
      jobs.enqueue(
        db,
        DELIVER,
        { campaignId },
        {
          afterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
          oncePer: campaignId,
        },
      ),
  })
  let isWorking = false

  async function own(userId: string, campaignId: string): Promise<RunRow> {
    const run = await findRun(db, userId, campaignId)
    if (!run) throw notFound('campaign')
    return run
  }

  async function nobodyToRetry(campaignId: string, which: 'failed' | 'unconfirmed'): Promise<AppError> {
    if (which === 'failed') return new AppError(409, 'Nobody failed in this campaign')
    const { unknown, inFlight, areAllOnList } = await findUnknown(db, campaignId)
    if (unknown === 0) return new AppError(409, 'Nobody is unconfirmed in this campaign')
    if (inFlight > 0) return new AppError(409, MAY_GROW)
    return new AppError(409, areAllOnList ? ALL_ON_LIST : OTHERS_THAN_SHOWN)
  }

  const leaveOut = (userId: string, keys: readonly string[]): Promise<void> =>
    leaveOutQueued(db, userId, keys, progressed)

  const wakeUp = (campaignId: string): Promise<void> => jobs.enqueue(db, DELIVER, { campaignId })

  return {
    async accept(tx, copyInto, run, recipients, atMost) {
      const intake = await storeDeliveries(tx, copyInto, run, recipients, atMost)
      await jobs.enqueue(tx, DELIVER, { campaignId: run.campaignId })
      return intake
    },

    accepted(count) {
      if (count > MANY)
        refreshStatistics(db).catch((error: unknown) =>
          log.debug({ err: error }, 'the statistics of the deliveries were not refreshed'),
        )
    },

    async pause(userId, campaignId) {
      await own(userId, campaignId)
      const changed = await setRunState(db, userId, campaignId, { from: ['sending', 'paused'], to: 'paused' })
      if (!changed) throw overAlready('paused')
      await letStepsEnd(db, campaignId)
      progressed({ id: campaignId, userId })
    },

    async resume(userId, campaignId) {
      await own(userId, campaignId)
      const changed = await setRunState(db, userId, campaignId, {
        from: ['sending', 'paused'],
        to: 'sending',
      })
      if (!changed) throw overAlready('resumed')
      await wakeUp(campaignId)
      progressed({ id: campaignId, userId })
    },

    async cancel(userId, campaignId) {
      await own(userId, campaignId)
      const changed = await setRunState(db, userId, campaignId, {
        from: ['sending', 'paused', 'cancelled'],
        to: 'cancelled',
      })
      if (!changed) throw overAlready('cancelled')
      await letStepsEnd(db, campaignId)
      // A long list is swept by the workers; from this moment on none of it is sent.
      if (await sweepCancelled(db, campaignId, { mayTakeOver: false })) await wakeUp(campaignId)
      progressed({ id: campaignId, userId })
    },

    async retry(userId, campaignId, which, shown) {
      const run = await own(userId, campaignId)
      if (run.state === 'cancelled' && run.isOpen)
        throw new AppError(409, 'This campaign is still being cancelled. Please try again in a moment')
      const again = await queueAgain(db, userId, campaignId, which === 'failed' ? 'f' : 'u', shown)
      if (again === 0) throw await nobodyToRetry(campaignId, which)
      await wakeUp(campaignId)
      progressed({ id: campaignId, userId })
    },

    deliveries: (campaignId, query) => listDeliveries(db, campaignId, query),

    record: createReports({ db, shared: needs.shared, progressed, leaveOut }),
    leaveOut,
    freeAccount,
    holdRestored: pauseAllRestored,

    async work() {
      isWorking = true
      dispatcher.start()
      await jobs.work(DELIVER, () => dispatcher.wake())
    },

    async stop() {
      if (isWorking) await dispatcher.stop(AbortSignal.timeout(DRAIN_MS))
    },
  }
}

const overAlready = (what: string): AppError =>
  new AppError(409, `This campaign has ended and can no longer be ${what}`)

const MAY_GROW =
  'Mails of this campaign are still on their way and may become unconfirmed as well, so nobody was sent it again. Please try again when they have been answered; if the campaign is paused, resume or cancel it first'
const OTHERS_THAN_SHOWN =
  'Who is unconfirmed in this campaign has changed since you were shown them, so nobody was sent it again. Please look once more'
/** Also right after another press, which has sent it to the others. */
const ALL_ON_LIST =
  'Everybody who is still unconfirmed in this campaign is on your suppression list, and is not sent it again'
