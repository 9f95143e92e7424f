import type { Provider } from '../providers/provider.ts'
import type { Lane } from './lane.ts'
import type { WindowRun } from './window-run.ts'

/** All lanes of this process: one for each account that has something to send, made and given up as needed. */
type Lanes = {
  /** The lane of an account; a new one when its provider has changed, while the old one ends what it began. */
  of(account: string, provider: Provider): Lane
  windows(): Iterable<WindowRun>
  /** How often in a row mails have found the provider of this account out of order; 0 once one has shown that it is back. */
  tripsOf(account: string): number
  /** Campaigns at whose mails a provider was found to be out of order: others show first whether it is back. */
  duringOutage(): string[]
  /**
   * Gives up lanes whose provider has been replaced, also those that only watch over an outage: what they would find out
   * says nothing about the account any more. And those that have had nothing to do for a while, with their connections:
   * the end of an outage that nobody waits for is nothing to do either, and providers lock an account that is signed in
   * to for ever with a wrong password.
   */
  tidy(): Promise<void>
  drain(giveUp: AbortSignal): Promise<void>
}

const IDLE_MS = 60_000

type Needs = {
  providerOf: (account: string) => Promise<Provider | { outage: string }>
  open: (account: string, provider: Provider) => Lane
  letGo: (provider: Provider) => Promise<void>
  /** Is there a campaign that would be sent by this account? */
  isAwaited: (account: string) => Promise<boolean>
  troubled: (error: unknown) => void
  now?: () => number
}

type Entry = { lane: Lane; provider: Provider; busyAt: number }

export function createLanes({
  providerOf,
  open,
  letGo,
  isAwaited,
  troubled,
  now = () => performance.now(),
}: Needs): Lanes {
  const current = new Map<string, Entry>()
  /** They take nothing more, but what they hold has to be renewed and written down until they are empty. */
  const retiring = new Set<Lane>()
  let giveUp: AbortSignal | null = null

  function retire(account: string, { lane, provider }: Entry): void {
    current.delete(account)
    retiring.add(lane)
    // A retired lane that a stop finds is drained with the others.
    lane
      .retire()
      .then(() => retiring.delete(lane))
      .then(() => letGo(provider))
      .catch(troubled)
  }

  const isNeeded = async (account: string, { lane }: Entry): Promise<boolean> =>
    !lane.isEmpty() || (lane.isWatching() && (await isAwaited(account)))

  function* windows(): Iterable<WindowRun> {
    for (const { lane } of current.values()) yield* lane.windows()
    for (const lane of retiring) yield* lane.windows()
  }

  return {
    of(account, provider) {
      const existing = current.get(account)
      if (existing?.provider === provider) {
        existing.busyAt = now()
        return existing.lane
      }
      if (existing) retire(account, existing)
      const lane = open(account, provider)
      current.set(account, { lane, provider, busyAt: now() })
      if (giveUp) void lane.drain(giveUp)
      return lane
    },
    windows,
    tripsOf: (account) => current.get(account)?.lane.trips() ?? 0,
    duringOutage: () => [...current.values()].flatMap(({ lane }) => [...lane.duringOutage()]),
    async tidy() {
      for (const [account, entry] of [...current]) {
        const isReplaced = (await providerOf(account)) !== entry.provider
        const isBusy = !isReplaced && (await isNeeded(account, entry))
        if (current.get(account) !== entry) continue
        if (isReplaced) retire(account, entry)
        else if (isBusy) entry.busyAt = now()
        else if (now() - entry.busyAt > IDLE_MS) retire(account, entry)
      }
    },
    async drain(signal) {
      giveUp = signal
      const all = [...[...current.values()].map(({ lane }) => lane), ...retiring]
      await Promise.all(all.map((lane) => lane.drain(signal)))
    },
  }
}
