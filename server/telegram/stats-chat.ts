import { Composer } from 'grammy'
import {
  areBouncesAlarming,
  areComplaintsAlarming,
  BOUNCE_LIMIT,
  SPAM_LIMIT,
  shareOf,
} from '../../contract/alarming-rates.ts'
import { type EmailActivity, PRESUMED_WORDS, type Stats } from '../../contract/stats.ts'
import type { StatsService } from '../stats/service.ts'
import type { Feature } from './bot.ts'
import { type Chat, show } from './chat.ts'
import { joined, type Markup, type Message, markup } from './markup.ts'

/** Fits on a small phone, with the day before it and the number behind it. */
const CHART_SIGNS = 14

/** The numbers of the dashboard. */
export function createStatsChat({ stats }: { stats: StatsService }): Feature {
  const chat = new Composer<Chat>()

  async function showStats(chat: Chat): Promise<void> {
    const { userId, timeZone } = chat.person
    const [numbers, activity] = await Promise.all([stats.stats(userId), stats.activity(userId, timeZone)])
    await show(chat, statsMessage(numbers, activity))
  }
  chat.command('stats', showStats)
  chat.callbackQuery('stats', showStats)
  return { chat }
}

function statsMessage(stats: Stats, activity: EmailActivity): Message {
  const { total, totalSent, totalFailed, totalPending, totalUnconfirmed } = stats
  const lines = [
    markup`<b>Sending</b>`,
    markup`<b>${total}</b> sent in all`,
    markup`🟩 <b>${totalSent}</b> successful · ${stats.successRate}% success rate`,
    markup`🟥 <b>${totalFailed}</b> failed${total > 0 ? ` · ${shareOf(totalFailed, total).toFixed(1)}%` : ''}`,
    markup`🟦 <b>${totalPending}</b> pending`,
    ...(totalUnconfirmed > 0 ? [markup`⬜ <b>${totalUnconfirmed}</b> unconfirmed`] : []),
    markup``,
    markup`<b>Delivery and engagement</b>`,
    markup`🟩 <b>${stats.deliveryRate}%</b> · ${stats.totalDelivered} delivered`,
    markup`🟧 <b>${stats.bounceRate}%</b> · ${stats.totalBounced} bounced${bounceAlarm(stats)}`,
    markup`🟥 <b>${stats.spamRate}%</b> · ${stats.totalComplained} complaints${spamAlarm(stats)}`,
    markup`🟪 <b>${stats.openRate}%</b> · ${stats.totalOpened} opened`,
    ...(stats.isDeliveryPresumed ? [markup`<i>${PRESUMED_WORDS}</i>`] : []),
    markup``,
    markup`<b>Emails accepted, by the day you sent them off</b>`,
    markup`<pre>${chartOf(activity)}</pre>`,
  ]
  return {
    text: joined(lines),
    buttons: [
      [
        { text: '🔄 Refresh', press: 'stats' },
        { text: 'Campaigns', press: 'campaigns' },
      ],
    ],
  }
}

const bounceAlarm = (stats: Stats): string =>
  areBouncesAlarming(stats) ? ` ⚠️ Warning: above ${BOUNCE_LIMIT}%` : ''

const spamAlarm = (stats: Stats): string =>
  areComplaintsAlarming(stats) ? ` 🚨 Danger: above ${SPAM_LIMIT}%` : ''

/** A line for each day, from the same zero line; a day with one mail differs from one with none. */
function chartOf(activity: EmailActivity): Markup {
  const most = Math.max(1, ...activity.map(({ sent }) => sent))
  return joined(
    activity.map(
      ({ name, sent }) => markup`${name} │${'█'.repeat(Math.ceil((sent / most) * CHART_SIGNS))} ${sent}`,
    ),
  )
}
