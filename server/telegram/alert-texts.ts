import { isMoving } from '../../contract/under-way.ts'
import type { Detail, History } from '../campaigns/history.ts'
import type { Mailbox } from '../inbox/mailbox.ts'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { barOf, countsOf, recipientsOf } from './campaign-bar.ts'
import { openButton, pauseOf, pressOf, type ShownCampaign, stateOf, titleOf } from './campaign-card.ts'
import { footOf, type ListedMail, mailPress, senderOf, subjectOf } from './mail-text.ts'
import { type Button, joined, lengthOf, type Markup, type Message, markup } from './markup.ts'
import type { Alert } from './store/alerts.ts'
import { findAnswersTo } from './store/mails.ts'

/** One thing to tell: in full, or in a line among others. */
export type News = {
  line: Markup
  message: Message
  /** The mail that is answered by answering the message. */
  mailId: string | null
}

type Needs = {
  db: Database
  history: Pick<History, 'detail'>
  mailbox: Pick<Mailbox, 'news'>
  publicUrl: URL
}

/** As things stand now; null where there is nothing to tell any more. */
export async function newsOf(
  { kind, about }: Alert,
  userId: string,
  { db, history, mailbox, publicUrl }: Needs,
): Promise<News | null> {
  if (kind === 'reply') {
    const mail = await mailbox.news(userId, about)
    // Whoever has read it knows.
    if ('isGone' in mail || !mail.isUnread) return null
    return replyNews({ ...mail, answersTo: await findAnswersTo(db, userId, about) })
  }
  const detail = await history.detail(userId, about).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null
    throw error
  })
  if (!detail) return null
  const news = campaignNews(kind, detail, publicUrl)
  return news && { ...news, mailId: null }
}

function replyNews(mail: ListedMail & { answersTo: string | null }): News {
  const { messageId, preview, answersTo } = mail
  const reply = answersTo === null ? [] : [{ text: 'Reply', press: mailPress(messageId, 'reply') }]
  return {
    line: markup`✉️ ${senderOf(mail)}: ${subjectOf(mail)}`,
    message: {
      text: markup`✉️ New mail from ${senderOf(mail)}
<b>${subjectOf(mail)}</b>
${preview === '' ? '' : markup`<blockquote>${preview}</blockquote>`}
${footOf(mail)}`,
      buttons: [[{ text: 'Read', press: mailPress(messageId, 'open') }, ...reply]],
    },
    mailId: messageId,
  }
}

function campaignNews(
  kind: Exclude<Alert['kind'], 'reply'>,
  campaign: ShownCampaign,
  publicUrl: URL,
): Omit<News, 'mailId'> | null {
  const title = titleOf(campaign)
  const press = (text: string, action: 'show' | 'pause' | 'resume'): Button => ({
    text,
    press: pressOf(action, campaign),
  })
  const looking = [press('Show campaign', 'show'), ...openButton(campaign.id, publicUrl)]
  switch (kind) {
    case 'finished': {
      // It is being sent again: when that ends it is told.
      if (campaign.state !== 'done') return null
      const heading = markup`${stateOf(campaign)}: <b>${title}</b>`
      return {
        line: markup`${heading}, ${inOneLine(campaign)}`,
        message: { text: joined([heading, ...fateOf(campaign)]), buttons: [looking] },
      }
    }
    case 'paused': {
      if (campaign.pausedReason === null) return null
      const reason = pauseOf(campaign)
      if (reason === null) return null
      const heading = markup`🟧 Paused: <b>${title}</b>`
      const resume = campaign.resumesItself ? [] : [press('▶️ Resume', 'resume')]
      return {
        line: markup`${heading}. ${reason}`,
        message: {
          text: joined([heading, reason, ...fateOf(campaign)]),
          buttons: [[...resume, ...looking]],
        },
      }
    }
    case 'bounces': {
      const { accepted, failed, unknown } = campaign.counts
      const settled = accepted + failed + unknown
      const share = ((campaign.bouncedCount / Math.max(1, settled)) * 100).toFixed(1)
      const heading = markup`🟧 Many emails come back: <b>${title}</b>`
      const figures = markup`${campaign.bouncedCount} of ${settled} bounced (${share} %)`
      const pause = isMoving(campaign) && campaign.state === 'sending' ? [press('⏸ Pause', 'pause')] : []
      return {
        line: markup`${heading}, ${figures}`,
        message: {
          text: markup`${heading}
${figures}. Mail to addresses that do not exist makes others refuse your mail too: please check where this list comes from.`,
          buttons: [[...pause, ...looking]],
        },
      }
    }
  }
}

const fateOf = (campaign: Detail): Markup[] => [
  markup``,
  markup`${barOf(campaign.counts)}`,
  markup`<b>${recipientsOf(campaign.counts)}</b> ${recipientsOf(campaign.counts) === 1 ? 'recipient' : 'recipients'}`,
  ...countsOf(campaign),
]

const inOneLine = (campaign: Detail): Markup => joined(countsOf(campaign), ' · ')

/** So many lines are read at a glance, and so much fits; the rest is counted. */
const LINES_MAX = 12
const GATHERED_MAX = 3_500

/** Several things at once. */
export function gathered(heading: Markup, news: readonly News[]): Message {
  const lines: Markup[] = []
  for (const { line } of news.slice(0, LINES_MAX))
    if (lengthOf(joined([...lines, line], '\n\n')) <= GATHERED_MAX) lines.push(line)
  const more = news.length - lines.length
  const rest = more > 0 ? [markup`and ${more} more. /campaigns and /inbox show how things stand.`] : []
  const hasMail = news.some(({ mailId }) => mailId !== null)
  return {
    text: joined([heading, ...lines, ...rest], '\n\n'),
    ...(hasMail ? { buttons: [[{ text: 'Open inbox', press: 'inbox' }]] } : {}),
  }
}
