import type { CampaignProgress } from '../../contract/campaigns.ts'
import type { History } from '../campaigns/history.ts'
import type { Database } from '../platform/database.ts'
import { recipientsOf } from './campaign-bar.ts'
import { endPauses, insertAlert, insertReplies, type NewAlert } from './store/alerts.ts'
import { findWatched, hasHappenedSince, listWatched, type Spike, type Watched } from './store/watched.ts'

/** Finds what those who are linked may want to know, and keeps it until they are told. */
type Finding = {
  /** Answers whether there is news. */
  look(campaignIds: readonly string[], messageIds: readonly string[]): Promise<boolean>
  /** Also at what nobody has spoken of. */
  lookAtAll(hours: number): Promise<boolean>
}

const SPIKE: Spike = { share: 0.05, settled: 50 }
const REASON_MAX = 300
/** Enough for everybody whose old campaigns are opened again and again; then it begins anew. */
const OLD_MAX = 10_000

type Needs = { db: Database; history: Pick<History, 'progress'> }

export function createFinding({ db, history }: Needs): Finding {
  /** Campaigns that had ended before the link: to find that out takes reading a whole one. */
  const old = new Set<string>()

  async function isEndSince(campaign: Watched): Promise<boolean> {
    const key = `${campaign.linkId} ${campaign.id} ${campaign.round}`
    if (campaign.isNew || old.has(key)) return campaign.isNew
    const isNews = await hasHappenedSince(db, campaign, 'tried')
    if (old.size >= OLD_MAX) old.clear()
    if (!isNews) old.add(key)
    return isNews
  }
  const isSince = async (campaign: Watched, what: 'tried' | 'bounced'): Promise<boolean> =>
    campaign.isNew || (await hasHappenedSince(db, campaign, what))

  async function lookAt(campaign: Watched): Promise<boolean> {
    const { id, linkId, userId, round } = campaign
    const standing = await history.progress(userId, id)
    if (!standing) return false
    const news: Pick<NewAlert, 'kind' | 'occasion'>[] = []
    const pause = pauseOf(standing)
    if (pause === null) await endPauses(db, linkId, id)
    else if (await isSince(campaign, 'tried')) news.push({ kind: 'paused', occasion: pause })
    if (!campaign.isEndKnown && isEndWorthTelling(campaign, standing) && (await isEndSince(campaign)))
      news.push({ kind: 'finished', occasion: String(round) })
    if (!campaign.areBouncesKnown && isSpike(standing) && (await isSince(campaign, 'bounced')))
      news.push({ kind: 'bounces', occasion: '' })
    let isNews = false
    for (const alert of news) isNews = (await insertAlert(db, { linkId, about: id, ...alert })) || isNews
    return isNews
  }

  async function lookAtCampaigns(ids: readonly string[]): Promise<boolean> {
    let isNews = false
    for (const campaign of ids.length === 0 ? [] : await findWatched(db, ids))
      isNews = (await lookAt(campaign)) || isNews
    return isNews
  }

  return {
    async look(campaignIds, messageIds) {
      const isNews = await lookAtCampaigns(campaignIds)
      const replies = messageIds.length === 0 ? 0 : await insertReplies(db, { ids: messageIds })
      return isNews || replies > 0
    },
    async lookAtAll(hours) {
      const isNews = await lookAtCampaigns(await listWatched(db, hours, SPIKE))
      return (await insertReplies(db, { hours })) > 0 || isNews
    },
  }
}

/**
 * What makes a pause news; null for none, and for one that the person has made. An outage is one thing in whatever words
 * the provider fails, and a single mail that waits for its end is none.
 */
function pauseOf({ state, pausedReason, resumesItself, counts }: CampaignProgress): string | null {
  if (state !== 'paused' || pausedReason === null) return null
  if (!resumesItself) return pausedReason.slice(0, REASON_MAX)
  return recipientsOf(counts) > 1 ? 'outage' : null
}

/** Who wrote to one person looks whether it arrived only if it did not. */
function isEndWorthTelling({ isReply }: Watched, { state, counts }: CampaignProgress): boolean {
  if (state !== 'done') return false
  // Whoever answers somebody on the suppression list is told at once: this one came onto it afterwards.
  const isLeftOut = isReply && counts.suppressed > 0
  return isLeftOut || counts.failed + counts.unknown > 0 || (!isReply && recipientsOf(counts) > 1)
}

function isSpike({ counts, bouncedCount }: CampaignProgress): boolean {
  const settled = counts.accepted + counts.failed + counts.unknown
  return settled >= SPIKE.settled && bouncedCount > settled * SPIKE.share
}
