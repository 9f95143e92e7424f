import type { TelegramBot } from '../../contract/telegram.ts'
import type { History } from '../campaigns/history.ts'
import type { CampaignsService } from '../campaigns/service.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { Mailbox } from '../inbox/mailbox.ts'
import type { Replies } from '../inbox/replies.ts'
import type { Database, Transaction } from '../platform/database.ts'
import type { DatabaseLines } from '../platform/database-lines.ts'
import { createLeadership } from '../platform/leadership.ts'
import type { Log } from '../platform/log.ts'
import type { Notices } from '../platform/notices.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import type { StatsService } from '../stats/service.ts'
import type { SuppressionService } from '../suppression/service.ts'
import type { TemplatesService } from '../templates/service.ts'
import { createAlerts } from './alerts.ts'
import { ARRIVED, type Arrivals, createArrivals } from './arrivals.ts'
import { createBot } from './bot.ts'
import { type BotPace, TELEGRAM_PACE } from './calls.ts'
import { createCampaignViews } from './campaign-views.ts'
import { createCampaignsChat } from './campaigns-chat.ts'
import { createCards } from './cards.ts'
import { createFollowing } from './following.ts'
import { createHandling } from './handling.ts'
import { createHouse } from './house.ts'
import { createInboxChat } from './inbox-chat.ts'
import { createLetters } from './letters.ts'
import { createLinks, type Links } from './links.ts'
import { listenTo } from './listening.ts'
import { createPolling } from './polling.ts'
import { createReceivedFiles } from './received-file.ts'
import { createSendChat } from './send-chat.ts'
import { createSettingsChat } from './settings-chat.ts'
import { createStatsChat } from './stats-chat.ts'
import { findBot } from './store/bots.ts'
import { dropUnheard, forgetOld, leaveToldToOriginal } from './store/tidying.ts'
import { createTemplatesChat } from './templates-chat.ts'
import { createVisitors } from './visitors.ts'

export type TelegramService = {
  links: Links
  /** Null where this installation has no bot. */
  arrivals: Arrivals | null
  bot(): Promise<TelegramBot>
  /** Talks to Telegram, if this process has the role. */
  work(): Promise<void>
  forgetOld(): Promise<void>
  /** In a restored copy: nothing is done of what was said to the bot and waits. */
  dropUnheard(tx: Transaction): Promise<void>
  /** In a copy beside its original: nothing is told that waits. */
  leaveToldToOriginal(tx: Transaction): Promise<void>
  stop(): Promise<void>
}

type Dependencies = {
  /** Null where the operator has set no token. */
  bot: { token: string; apiRoot: URL; webhookSecret: string | null } | null
  publicUrl: URL
  /** Whether this process talks to Telegram. */
  works: boolean
  /** How fast it talks; as fast as Telegram allows where nothing is said. */
  pace?: BotPace | undefined
  db: Database
  databaseUrl: string
  lines?: DatabaseLines | undefined
  limiter: RateLimiter
  notices: Notices
  log: Log
  /** What can be done from the chat; everything goes the way that the screens go. */
  parts: Parts
}

type Parts = {
  stats: StatsService
  history: History
  delivery: Pick<DeliveryService, 'pause' | 'resume' | 'cancel' | 'retry'>
  campaigns: Pick<CampaignsService, 'send' | 'from'>
  templates: TemplatesService
  suppression: Pick<SuppressionService, 'check'>
  mailbox: Mailbox
  replies: Replies
}

export const WEBHOOK_PATH = '/api/telegram/webhook'

export function createTelegram(dependencies: Dependencies): TelegramService {
  const { publicUrl, works, db, databaseUrl, lines, limiter, notices, log } = dependencies
  const links = createLinks({ db, limiter, notices })
  const shared = { links, forgetOld: () => forgetOld(db), dropUnheard, leaveToldToOriginal }
  if (dependencies.bot === null)
    return {
      ...shared,
      arrivals: null,
      bot: async () => ({ state: 'none', name: null, problem: null }),
      work: async () => {},
      stop: async () => {},
    }

  const { token, apiRoot, webhookSecret } = dependencies.bot
  // The number before the colon; the rest is secret.
  const botId = token.slice(0, token.indexOf(':'))
  const arrivals = createArrivals({ db, botId, notices })
  const pace = dependencies.pace ?? TELEGRAM_PACE
  const startedAt = performance.now()
  const stopping = new AbortController()
  const { stats, history, delivery, mailbox, replies, campaigns, templates, suppression } = dependencies.parts
  const cards = createCards({ db, notices })
  const views = createCampaignViews({ history, publicUrl })
  const letters = createLetters({ db, campaigns, templates, suppression })
  const files = createReceivedFiles({ token, apiRoot, signal: stopping.signal })
  const { bot, handle } = createBot({
    ...{ db, token, apiRoot, links, limiter, log },
    pace,
    signal: stopping.signal,
    visitors: createVisitors({ links }),
    features: [
      // First, since it sees to it that whoever turns to something else is not taken to be answering a mail.
      createInboxChat({ db, botId, mailbox, replies, history, pace }),
      createHouse({ links }),
      createSettingsChat({ db }),
      createStatsChat({ stats }),
      createCampaignsChat({ views, cards, history, delivery }),
      createSendChat({ letters, templates, files, views, cards }),
      createTemplatesChat({ templates }),
    ],
  })
  const handling = createHandling({ db, botId, handle, log })
  const polling = createPolling({
    ...{ db, botId, token, apiRoot, pace, arrivals, log },
    webhook: webhookSecret === null ? null : { url: new URL(WEBHOOK_PATH, publicUrl), secret: webhookSecret },
  })
  const following = createFollowing({ db, api: bot.api, views, links, notices, log })
  const alerts = createAlerts({ db, api: bot.api, links, history, mailbox, notices, publicUrl, log })
  const leadership = createLeadership({ url: databaseUrl, lines, log, name: `telegram ${botId}` })

  return {
    ...shared,
    arrivals,

    async bot() {
      const known = await findBot(db, botId)
      const isLookedAfter = known?.isLookedAfter ?? performance.now() - startedAt < pace.firstSignMs
      const problem = isLookedAfter ? (known?.problem ?? null) : NOBODY
      const name = known?.username || null
      if (problem === null && name !== null) return { state: 'ready', name, problem: null }
      return { state: 'unreachable', name, problem: problem ?? NOT_YET }
    },

    async work() {
      if (!works) return
      await listenTo(notices, stopping.signal, {
        heard: ({ kind }) => {
          if (kind === ARRIVED.kind) handling.wake()
        },
        missed: handling.wake,
      })
      handling.start()
      leadership.lead(async (signal) => {
        await Promise.all([polling.run(signal), following.run(signal), alerts.run(signal)])
      })
    },

    async stop() {
      stopping.abort()
      if (works) await Promise.all([leadership.stop(), handling.stop()])
    },
  }
}

const NOBODY =
  'No process of this installation looks after the bot. Whoever operates it starts one whose ROLES include telegram'
const NOT_YET = 'The bot is being reached for the first time. Please look again in a moment'
