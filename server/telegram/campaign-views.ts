import { isMoving } from '../../contract/under-way.ts'
import type { Entry, History } from '../campaigns/history.ts'
import { barOf, campaignCard, pressOf, recipientsOf, type ShownCampaign, stateOf } from './campaign-card.ts'
import type { Person } from './links.ts'
import { type Button, joined, type Message, markup, oneLine } from './markup.ts'

/** What a message shows, and whether that will change by itself. */
export type View = { message: Message; isMoving: boolean }

/** Who looks; whatever is shown is theirs. */
type Looker = Pick<Person, 'userId' | 'timeZone'>

/** What is shown of campaigns, read at the moment that it is asked for. */
export type CampaignViews = {
  /** Throws for a campaign that is not theirs. */
  campaign(looker: Looker, id: string): Promise<ShownCampaign>
  card(looker: Looker, campaign: ShownCampaign): View
  /** The page behind this cursor; null for the latest. */
  list(looker: Looker, cursor: string | null): Promise<View>
  newerThan(looker: Looker, id: string): Promise<string | null>
}

const LIST_PAGE = 5
const LIST_BLOCKS = 8
const SUBJECT_MAX = 80
const BUTTON_MAX = 40

export function createCampaignViews({
  history,
  publicUrl,
}: {
  history: Pick<History, 'list' | 'detail' | 'newerThan'>
  publicUrl: URL
}): CampaignViews {
  /** A page of long letters ends early; here nobody sees the letters. */
  async function pageOf(userId: string, start: string | null) {
    const entries: Entry[] = []
    let cursor = start
    do {
      const query = { limit: LIST_PAGE - entries.length, ...(cursor === null ? {} : { cursor }) }
      const page = await history.list(userId, query)
      entries.push(...page.entries)
      cursor = page.nextCursor
    } while (cursor !== null && entries.length < LIST_PAGE)
    return { entries, nextCursor: cursor }
  }

  return {
    campaign: ({ userId }, id) => history.detail(userId, id),

    card: ({ timeZone }, campaign) => ({
      message: campaignCard(campaign, { timeZone, publicUrl }),
      isMoving: isMoving(campaign),
    }),

    async list({ userId }, cursor) {
      const { entries, nextCursor } = await pageOf(userId, cursor)
      const [first] = entries
      const paging: Button[] = []
      if (first && cursor !== null) paging.push({ text: '‹ Newer', press: `newer/${first.id}` })
      if (nextCursor !== null) paging.push({ text: 'Older ›', press: `older/${nextCursor}` })
      const refresh: Button[] = cursor === null ? [{ text: '🔄 Refresh', press: 'campaigns' }] : []
      return {
        message: {
          text: first ? joined(entries.map(lineOf), '\n\n') : NONE,
          buttons: [...entries.map((entry) => [entryButton(entry)]), [...paging, ...refresh]].filter(
            (row) => row.length > 0,
          ),
        },
        // Only the latest ones move: what is shown of older pages stays as it was asked for.
        isMoving: cursor === null && entries.some(isMoving),
      }
    },

    newerThan: ({ userId }, id) => history.newerThan(userId, id, LIST_PAGE),
  }
}

const NONE = markup`You have sent nothing yet. /send writes a campaign.`

const lineOf = (entry: Entry) => markup`<b>${oneLine(entry.subject, SUBJECT_MAX)}</b>
${barOf(entry.counts, LIST_BLOCKS)}
${stateOf(entry)} · ${entry.counts.accepted} of ${recipientsOf(entry.counts)} accepted`

const entryButton = (entry: Entry): Button => ({
  text: oneLine(entry.subject, BUTTON_MAX) || 'Open',
  press: pressOf('open', entry),
})
