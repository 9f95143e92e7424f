import { WINDOW_MAX, WINDOW_MIN } from './store/claims.ts'
import type { CampaignInHand, WindowRun } from './window-run.ts'

/** Room for many people's campaigns side by side. */
const WINDOWS_MAX = 256
/** Of one person's: a provider that never answers keeps what was meant for it, and must not keep the room of others. */
const WINDOWS_PER_USER = 32
/** One that is being sent, and the next one ready behind it. */
const WINDOWS_PER_CAMPAIGN = 2
/** Anybody may have so many, whatever is in hand: two campaigns are sent at full speed. */
const FEW = 2 * WINDOWS_PER_CAMPAIGN
/** About so many may be large; where there are more, each gets small ones. */
const CROWD = 32
/** However much is in hand, there is room for those who have nothing here yet. */
const NEWCOMERS = 8

/** What this worker has in hand, and how much more it may take. Memory and leases set limits, and one person to another. */
export type Hand = {
  of(campaignId: string): WindowRun[]
  /** A window that only waits for the answers to its last calls, however long, keeps nobody else waiting. */
  hasEnough(campaignId: string): boolean
  hasRoomFor(userId: string): boolean
  /** For how many deliveries the next window should be: they grow from one to the next. */
  nextSize(campaign: CampaignInHand): number
  took(campaign: CampaignInHand, size: number): void
  /** Of a window that is not in hand any more: was there no room for another one of this user until now? */
  gaveBack(campaign: CampaignInHand): boolean
  /** The windows themselves: nobody has left them behind, however old their leases may look. */
  ids(): string[]
  /** Where to look for more. */
  wishes(): { limit: number; full: string[]; served: string[]; sated: string[]; inHand: string[] }
}

export function createHand(windows: () => Iterable<WindowRun>): Hand {
  /** A worker that has just come up takes little at first. */
  const nextSizes = new Map<string, number>()

  const all = (): WindowRun[] => [...windows()]
  const of = (campaignId: string) => all().filter(({ campaign }) => campaign.id === campaignId)
  const countOf = (userId: string) => all().filter(({ campaign }) => campaign.userId === userId).length
  const ids = () => all().flatMap((window) => (window.isLost() ? [] : window.key.id))
  const users = () => new Set(all().map(({ campaign }) => campaign.userId))

  const isRoom = (own: number, total: number): boolean =>
    own < FEW || (own < WINDOWS_PER_USER && total < WINDOWS_MAX)
  const hasRoomFor = (userId: string) => isRoom(countOf(userId), all().length)

  const hasEnough = (campaignId: string): boolean =>
    of(campaignId).filter((window) => window.waiting() > 0).length >= WINDOWS_PER_CAMPAIGN

  /** Large windows are for those who have few, as long as these are few as well. */
  const isCrowded = (userId: string): boolean =>
    all().length > CROWD && (countOf(userId) >= FEW || users().size * FEW > CROWD)

  return {
    of,
    ids,
    hasEnough,
    hasRoomFor,
    nextSize: ({ id, userId }) => (isCrowded(userId) ? WINDOW_MIN : (nextSizes.get(id) ?? WINDOW_MIN)),
    took: ({ id }, size) => void nextSizes.set(id, Math.min(size * 2, WINDOW_MAX)),
    gaveBack({ id, userId }) {
      if (of(id).length === 0) nextSizes.delete(id)
      return !isRoom(countOf(userId) + 1, all().length + 1)
    },
    wishes() {
      const served = [...users()]
      const campaigns = [...new Set(all().map(({ campaign }) => campaign.id))]
      return {
        limit: Math.max(WINDOWS_MAX - all().length, NEWCOMERS),
        full: campaigns.filter(hasEnough),
        served,
        sated: served.filter((userId) => !hasRoomFor(userId)),
        inHand: ids(),
      }
    },
  }
}
