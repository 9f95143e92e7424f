import { isMoving, isUnderWay } from '../../contract/under-way.ts'
import type { Detail } from '../campaigns/history.ts'
import { barOf, countsOf, recipientsOf, reportsOf } from './campaign-bar.ts'
import { type Button, joined, type Markup, type Message, markup, oneLine } from './markup.ts'

export { barOf, countsOf, recipientsOf, reportsOf } from './campaign-bar.ts'

export type ShownCampaign = Detail

/** For whom it is shown. */
type Viewer = { timeZone: string; publicUrl: URL }

export type CardAction =
  | 'open'
  | 'show'
  | 'pause'
  | 'resume'
  | 'ask-cancel'
  | 'cancel'
  | 'retry'
  | 'failures'
  | 'unconfirmed'
  | 'ask-resend'
  | 'resend'

type Standing = Pick<Detail, 'state' | 'counts' | 'status'>

const SUBJECT_MAX = 200
/** A card has no room for the whole sentence. */
const PRESUMED = markup`<i>By plain SMTP, delivered means accepted and not come back.</i>`
const RESTORED = markup`<i>Older than the copy of the database that was put in place: whoever waits here or has failed may have got it after that.</i>`
/** A mail server may say pages. */
const REASON_MAX = 700

/** What is sent again is sent again once: the press holds the round that it belongs to. */
export const pressOf = (action: CardAction, { id, round }: Pick<ShownCampaign, 'id' | 'round'>): string =>
  action === 'retry' || action === 'resend' ? `card/${id}/${action}/${round}` : `card/${id}/${action}`

/**
 * Tells who may get it twice: in a round nobody leaves them but for the accepted, and nobody joins them uncounted. Short,
 * for 64 bytes are all that a press has.
 */
export const unconfirmedMark = ({ counts }: Pick<ShownCampaign, 'counts'>): string =>
  [counts.unknown, counts.accepted].map((count) => count.toString(36)).join('-')

/** The press holds for those who were shown and no others. */
export const resendPressOf = (campaign: Pick<ShownCampaign, 'id' | 'round' | 'counts'>): string =>
  `${pressOf('resend', campaign)}/${unconfirmedMark(campaign)}`

export const titleOf = ({ subject }: Pick<Detail, 'subject'>): string => oneLine(subject, SUBJECT_MAX)

/** Where a campaign stands, in a few words and the colour that stands for it. */
export function stateOf(campaign: Standing & Pick<Detail, 'isRestored'>): string {
  if (campaign.state === 'paused') return '🟧 Paused'
  if (campaign.state === 'cancelled') return isMoving(campaign) ? '⬛ Being cancelled' : '⬛ Cancelled'
  if (isMoving(campaign)) return '🟦 Sending'
  if (campaign.status !== 'failed') return '🟩 Finished'
  // Whoever had failed when a copy was made may have got it from the original since.
  return campaign.isRestored ? '🟥 Finished' : '🟥 Finished: nobody was sent it'
}

/** Why it waits, and what has to happen for it to go on; null where it does not wait. */
export function pauseOf({
  state,
  pausedReason,
  resumesItself,
}: Pick<Detail, 'state' | 'pausedReason' | 'resumesItself'>): Markup | null {
  if (state !== 'paused') return null
  if (pausedReason === null) return markup`Nobody else gets this email until it is resumed.`
  const reason = oneLine(pausedReason, REASON_MAX).replace(/\.$/, '')
  return resumesItself
    ? markup`${reason}. It goes on by itself as soon as the provider takes mail again.`
    : markup`${reason}. It does not go on by itself: it waits until you resume it.`
}

/** The message that stands for a campaign. */
export function campaignCard(campaign: ShownCampaign, viewer: Viewer): Message {
  const { counts } = campaign
  const all = recipientsOf(counts)
  const parts = [
    markup`<b>${titleOf(campaign)}</b>`,
    markup`${stateOf(campaign)} · ${timeOf(campaign.sentDate, viewer.timeZone)}`,
    pauseOf(campaign),
    markup``,
    markup`${barOf(counts)}`,
    markup`<b>${all}</b> ${all === 1 ? 'recipient' : 'recipients'}`,
    ...countsOf(campaign),
    reportsOf(campaign),
    campaign.isDeliveryPresumed ? PRESUMED : null,
    campaign.isRestored ? RESTORED : null,
  ]
  return { text: joined(parts.filter((part) => part !== null)), buttons: buttonsOf(campaign, viewer) }
}

function buttonsOf(campaign: ShownCampaign, { publicUrl }: Viewer): Button[][] {
  const { state, resumesItself, counts } = campaign
  const press = (text: string, action: CardAction): Button => ({ text, press: pressOf(action, campaign) })
  const rows: Button[][] = []
  if (isUnderWay(campaign))
    rows.push([
      // An outage ends by itself: to resume would change nothing, to pause still can.
      state === 'paused' && !resumesItself ? press('▶️ Resume', 'resume') : press('⏸ Pause', 'pause'),
      press('✖️ Cancel', 'ask-cancel'),
    ])
  const many = (count: number): string => count.toLocaleString('en-US')
  const ended: Button[] = []
  if (counts.failed > 0 && !isMoving(campaign))
    ended.push(press(`🔁 Retry failed (${many(counts.failed)})`, 'retry'))
  if (counts.failed > 0) ended.push(press('Failures', 'failures'))
  if (ended.length > 0) rows.push(ended)
  if (counts.unknown > 0) rows.push([press(`⬜ Unconfirmed (${many(counts.unknown)})`, 'unconfirmed')])
  rows.push([press('🔄 Refresh', 'show'), ...openButton(campaign.id, publicUrl)])
  return rows
}

/**
 * Telegram takes no address in a button whose host has no dot, and refuses the whole message with it. Ours are secure
 * where others know them.
 */
export const openButton = (campaignId: string, publicUrl: URL): Button[] =>
  publicUrl.protocol === 'https:' && publicUrl.hostname.includes('.')
    ? [{ text: 'Open', open: new URL(`/history/${campaignId}`, publicUrl).href }]
    : []

/** As the screens write it, on the clock of whoever reads it. */
export const timeOf = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(date)
