import { setTimeout as sleep } from 'node:timers/promises'
import type { History } from '../campaigns/history.ts'
import { isDatabaseAway } from '../platform/database.ts'
import type { Notices } from '../platform/notices.ts'
import { createFinding } from './alert-finding.ts'
import { createTelling, type TellingNeeds } from './alert-telling.ts'
import { loggable } from './calls.ts'
import { listenTo } from './listening.ts'

/** What people are told without asking. One process does it for all. */
type Alerts = { run(signal: AbortSignal): Promise<void> }

type Needs = Omit<TellingNeeds, 'now' | 'history'> & {
  history: Pick<History, 'detail' | 'progress'>
  notices: Pick<Notices, 'subscribe'>
  now?: () => Date
}

/** Everything is looked at so often, whether something was heard or not. */
const SWEEP_MS = 60_000
const SWEEP_HOURS = 24
/** For whatever happened while no process looked after the bot. */
const FIRST_HOURS = 7 * 24
/** Quiet hours end, and so do waits that Telegram asks for. */
const LOOK_MS = 2_000
/** What is heard within this is looked at together: a campaign under way speaks several times a second. */
const GAP_MS = 250

export function createAlerts({ notices, ...rest }: Needs): Alerts {
  const needs = { ...rest, now: rest.now ?? (() => new Date()) }
  const { log } = needs
  const finding = createFinding(needs)
  const telling = createTelling(needs)

  return {
    async run(signal) {
      const heard = { campaign: new Set<string>(), message: new Set<string>() }
      let sweepAt = 0
      let hours = FIRST_HOURS

      const hearing = listenTo(notices, signal, {
        heard({ kind, id }) {
          if (kind !== 'campaign' && kind !== 'message') return
          heard[kind].add(id)
          find.wake()
        },
        missed() {
          sweepAt = 0
          find.wake()
        },
      })
      const tell = repeated(signal, LOOK_MS, () => telling.tellAll(signal), troubled)
      const find = repeated(
        signal,
        LOOK_MS,
        async () => {
          await hearing
          const [campaigns, messages] = [[...heard.campaign], [...heard.message]]
          heard.campaign.clear()
          heard.message.clear()
          const isSweep = performance.now() >= sweepAt
          // Before it begins: what is missed meanwhile asks for another one.
          if (isSweep) sweepAt = performance.now() + SWEEP_MS
          const isNews = isSweep && (await finding.lookAtAll(hours))
          if (isSweep) hours = SWEEP_HOURS
          if ((await finding.look(campaigns, messages)) || isNews) tell.wake()
        },
        (error) => {
          // What was heard may be lost: everything is looked at.
          sweepAt = 0
          troubled(error)
        },
      )
      await Promise.all([find.ended, tell.ended])
    },
  }

  function troubled(error: unknown): void {
    log[isDatabaseAway(error) ? 'debug' : 'warn']({ err: loggable(error) }, 'alerts wait; it is tried again')
  }
}

/** Does it now, then every so often, and soon after somebody asks for it; a failure is told and changes nothing. */
function repeated(
  signal: AbortSignal,
  milliseconds: number,
  work: () => Promise<void>,
  troubled: (error: unknown) => void,
): { wake(): void; ended: Promise<void> } {
  let woken = new AbortController()
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      woken = new AbortController()
      await work().catch(troubled)
      await sleep(GAP_MS, undefined, { signal }).catch(() => {})
      await sleep(milliseconds - GAP_MS, undefined, {
        signal: AbortSignal.any([signal, woken.signal]),
      }).catch(() => {})
    }
  }
  return { wake: () => woken.abort(), ended: repeat() }
}
