import { afterAbort } from '../platform/clock.ts'
import { type Database, isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Provider } from '../providers/provider.ts'
import { makeCalls, orderAfter } from './calls.ts'
import type { CopiesOf } from './copies.ts'
import { createWays } from './dispatcher-ways.ts'
import { createHand } from './hand.ts'
import { createLane, type Lane } from './lane.ts'
import { createLanes } from './lanes.ts'
import type { Letters } from './letters.ts'
import type { DeliveryObserver } from './observer.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { renewAll } from './renewal.ts'
import { type Candidate, findCandidates, isAwaited } from './store/candidates.ts'
import { sweepCancelled } from './store/changes.ts'
import { claimWindow } from './store/claims.ts'
import { clearOutage, holdAccount } from './store/holds.ts'
import { LEASE_MS, openAbandoned, openWaiting, releaseWindow, replaceToken } from './store/leases.ts'
import { step } from './store/steps.ts'
import { createTakeover } from './takeover.ts'
import { type CampaignInHand, createWindowRun } from './window-run.ts'

/** Looks for work by itself as well: retries come due, other workers die, wake-ups can be lost. */
const LOOK_MS = 1_000
const RENEW_MS = LEASE_MS / 4
/** What was aborted still has to be written down. */
const WRITING_MS = 3_000
const UNUSABLE_MS = 10_000

type Dispatcher = {
  start(): void
  /** There may be something to do: look now. */
  wake(): Promise<void>
  /** Claims nothing more, lets what is under way end until `giveUp`, hands the rest back. */
  stop(giveUp: AbortSignal): Promise<void>
}

export type DispatcherNeeds = {
  db: Database
  log: Log
  letters: Letters
  /** The account that all share, by the provider that this worker was started with. */
  shared: { account: string }
  /** The provider behind an account, another object whenever it has changed; or why nothing can be sent by it. */
  providerOf: (account: string) => Promise<Provider | { outage: string }>
  /** No call of this worker goes to it any more. */
  letGo: (provider: Provider) => Promise<void>
  copiesOf: CopiesOf
  retryMs: number
  /** Wakes a worker, any worker, when the next try of a campaign is due. */
  retryIn: (campaignId: string, milliseconds: number) => Promise<void>
  /** A campaign has moved: somebody may be watching. */
  progressed: (campaign: { id: string; userId: string }) => void
  /** For whoever watches this worker. */
  observer?: DeliveryObserver
  random?: () => number
}

export function createDispatcher(needs: DispatcherNeeds): Dispatcher {
  const { db, log, letters, providerOf, copiesOf, retryMs, retryIn, progressed, random = Math.random } = needs
  const lanes = createLanes({
    providerOf,
    open: openLane,
    letGo: needs.letGo,
    isAwaited: (account) => isAwaited(db, account),
    troubled,
  })
  const ways = createWays(db)
  /** Campaigns of which a window is being claimed right now. */
  const claiming = new Map<string, Promise<void>>()
  const takeover = createTakeover()
  let isStopped = false
  let isSharedNoted = false
  const looks = oneAtATime(() => look().catch(troubled))
  const wake = looks.ask
  let lookTimer: NodeJS.Timeout | undefined
  let renewTimer: NodeJS.Timeout | undefined

  function troubled(error: unknown): void {
    if (isDatabaseAway(error)) takeover.noteOutage()
    else log.error({ err: error }, 'the delivery met a failure; it goes on by itself')
  }

  const { windows } = lanes
  const hand = createHand(windows)

  function openLane(account: string, provider: Provider): Lane {
    return createLane({
      account,
      provider,
      copiesOf,
      rules: { retryMs, random },
      // What is wrong with credentials that have been replaced must not hold up the new ones.
      holdAccount: async (name, hold) => {
        if ((await providerOf(name)) !== provider) return
        await holdAccount(db, name, { ...hold, identity: provider.identity })
      },
      clearOutage: (name) => clearOutage(db, name),
      release: async ({ key, campaign }, isDone) => {
        const hasMadeRoom = hand.gaveBack(campaign)
        await releaseWindow(db, key, isDone)
        if (hasMadeRoom) void wake()
      },
      wantsMore: ({ campaign }) =>
        void claim({ campaignId: campaign.id, userId: campaign.userId, account }, campaign),
      progressed: ({ campaign }) => progressed(campaign),
      answered: (name, outcomes) => needs.observer?.answered(name, outcomes),
      troubled,
      log,
    })
  }

  type Claim = Pick<Candidate, 'campaignId' | 'userId' | 'account'>

  /** Takes one more window of a campaign, if this worker has room for it and there is one. */
  async function claim(candidate: Claim, known: CampaignInHand | null): Promise<void> {
    const { campaignId, userId } = candidate
    if (isStopped || claiming.has(campaignId) || hand.hasEnough(campaignId)) return
    if (!hand.hasRoomFor(userId)) return
    const claimed = take(candidate, known).catch(troubled)
    claiming.set(campaignId, claimed)
    await claimed.finally(() => claiming.delete(campaignId))
  }

  async function take({ campaignId, userId, account }: Claim, known: CampaignInHand | null): Promise<void> {
    const provider = await providerOf(account)
    if ('outage' in provider) return holdUnusable(account, provider.outage)
    const campaign = known ?? hand.of(campaignId)[0]?.campaign ?? (await prepare(campaignId, userId))
    if (!campaign || isStopped) return
    const claimedAt = performance.now()
    const canRepeat = provider.repeatableMs > 0
    if (!(await ways.isOurs(account, provider.identity)) || isStopped) return
    // Whole calls only: a provider that takes a thousand at once is called once for a thousand.
    const size = Math.ceil(hand.nextSize(campaign) / provider.batchMax) * provider.batchMax
    const order = orderAfter(lanes.tripsOf(account), canRepeat)
    const claimNext = () =>
      claimWindow(db, campaignId, {
        ...{ mayTakeOver: takeover.mayBegin(), inHand: hand.ids(), account, canRepeat, size },
        isUnharmedFirst: order === 'unharmed-first',
      })
    let claimed = await claimNext()
    while (claimed === 'passed' && !isStopped) {
      progressed(campaign)
      claimed = await claimNext()
    }
    if (claimed === null || claimed === 'passed') return
    // Who has changed the account meanwhile may have let go of this provider: the window goes back as it is.
    if ((await providerOf(account)) !== provider) return releaseWindow(db, claimed.key, false)
    hand.took(campaign, size)
    const { identity, repeatableMs, reportsNothing: isLastWord = false } = provider
    const { calls, hopeless } = makeCalls(claimed.deliveries, {
      batchMax: provider.copiesPerCall?.(campaign.letter) ?? provider.batchMax,
      repeatableMs,
      order,
    })
    const run = createWindowRun({
      key: claimed.key,
      campaign,
      calls,
      hopeless,
      claimedAt,
      step: async (key, settlements, toFence, options) => {
        const ofProvider = { isLastWord, identity, repeatableMs }
        const result = await step(db, key, settlements, toFence, { ...options, ...ofProvider })
        const waits = settlements.flatMap(({ waitMs }) => waitMs ?? [])
        if (waits.length > 0) retryIn(campaignId, Math.min(...waits)).catch(troubled)
        return result
      },
      replaceToken: (key, next) => replaceToken(db, key, next),
      openWaiting: (key, seqs) => openWaiting(db, key, seqs),
    })
    lanes.of(account, provider).add(run)
  }

  /** Looked at again soon: somebody may be mending it. */
  const holdUnusable = (account: string, outage: string): Promise<void> =>
    holdAccount(db, account, { milliseconds: UNUSABLE_MS, outage, isAsked: false })

  async function prepare(id: string, userId: string): Promise<CampaignInHand | null> {
    const letter = await letters.of(id)
    return letter ? { id, userId, letter } : null
  }

  async function look(): Promise<void> {
    if (isStopped) return
    await lanes.tidy()
    if (!isSharedNoted) await noteShared(needs.shared.account)
    const candidates = await findCandidates(db, {
      mayTakeOver: takeover.mayBegin(),
      duringOutage: lanes.duringOutage(),
      ...hand.wishes(),
    })
    for (const candidate of candidates) {
      if (isStopped) return
      if (candidate.todo === 'tidy') await tidy(candidate)
      else await claim(candidate, null)
    }
  }

  /** Once, before all work: of an account that is held there is none, also if a provider asked for it that was replaced. */
  async function noteShared(account: string): Promise<void> {
    const provider = await providerOf(account)
    if (!('outage' in provider)) await ways.isOurs(account, provider.identity)
    isSharedNoted = true
  }

  async function tidy({ campaignId, userId, account, isCancelled }: Candidate): Promise<void> {
    const provider = await providerOf(account)
    const canRepeat = !('outage' in provider) && provider.repeatableMs > 0
    const inHand = hand.ids()
    if (!isCancelled) await openAbandoned(db, campaignId, { account, canRepeat, inHand })
    // A long list takes many sweeps; in between the others get their turn.
    else if (await sweepCancelled(db, campaignId, { mayTakeOver: takeover.mayBegin(), inHand })) void wake()
    progressed({ id: campaignId, userId })
  }

  async function renew(): Promise<void> {
    const lost = await renewAll(db, windows)
    if (lost > 0) needs.observer?.lost(lost)
  }

  return {
    start() {
      takeover.noteTurn()
      lookTimer = setInterval(() => {
        takeover.noteTurn()
        void wake()
      }, LOOK_MS)
      renewTimer = setInterval(() => void renew().catch(troubled), RENEW_MS)
      void wake()
    },
    wake,
    async stop(giveUp) {
      isStopped = true
      clearInterval(lookTimer)
      // At once: until a look or a claim under way has its answer, the lanes would put more and more in flight.
      const drained = lanes.drain(giveUp)
      const late = Promise.all([looks.underWay(), ...claiming.values()])
      // What these still bring goes back as well.
      const emptied = Promise.all([drained, late]).then(() => lanes.drain(giveUp))
      await Promise.race([emptied, afterAbort(giveUp, WRITING_MS)])
      clearInterval(renewTimer)
    },
  }
}
