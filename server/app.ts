import packageJson from '../package.json' with { type: 'json' }
import { createAuthHousekeeping } from './auth/housekeeping.ts'
import { createAuthLimits } from './auth/limits.ts'
import { createOwnAttempts } from './auth/own-attempts.ts'
import { createPasswordResets, RESET_MAIL } from './auth/password-reset.ts'
import { createPasswords } from './auth/passwords.ts'
import { createRegistrations, REGISTRATION_MAIL } from './auth/registration.ts'
import { authRoutes } from './auth/routes.ts'
import { createSessions, requireSession } from './auth/sessions.ts'
import { createSignIn } from './auth/sign-in.ts'
import { createHistory } from './campaigns/history.ts'
import { campaignsRoutes } from './campaigns/routes.ts'
import { createCampaigns } from './campaigns/service.ts'
import type { Config } from './config.ts'
import { DELIVER } from './delivery/service.ts'
import { draftsRoutes } from './drafts/routes.ts'
import { createDrafts } from './drafts/service.ts'
import type { Receiver } from './inbound/receiver.ts'
import { contentRoutes } from './inbox/content-routes.ts'
import { toInbox } from './inbox/local-replies.ts'
import { READ_MAIL } from './inbox/read-mail.ts'
import { createReplies } from './inbox/replies.ts'
import { replyRoutes } from './inbox/reply-routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { inboundWebhookRoutes } from './inbox/webhook-routes.ts'
import { addMeasures } from './instance/measures.ts'
import { createMetricsReader, type MetricsReader } from './instance/metrics-reader.ts'
import { instanceRoutes } from './instance/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { localMailboxRoutes } from './local-mailbox/routes.ts'
import { closeInTurn, every } from './platform/clock.ts'
import { type Database, patiently, vetConnections } from './platform/database.ts'
import type { DatabaseLines } from './platform/database-lines.ts'
import { createHttp, type Http } from './platform/http/http.ts'
import { addOpenApi } from './platform/http/openapi.ts'
import { servePages } from './platform/http/pages.ts'
import { isWhereItWas, noticeRestore } from './platform/installation.ts'
import { startJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { createNotices } from './platform/notices.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { loadSecrets } from './platform/secrets-former-keys.ts'
import { PRODUCT_MAIL } from './product-mail/service.ts'
import { createSending } from './sending.ts'
import { settingsRoutes } from './settings/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { createStats } from './stats/service.ts'
import { suppressionRoutes } from './suppression/routes.ts'
import { createSuppression } from './suppression/service.ts'
import type { BotPace } from './telegram/calls.ts'
import { telegramRoutes } from './telegram/routes.ts'
import { createTelegram } from './telegram/service.ts'
import { templatesRoutes } from './templates/routes.ts'
import { createTemplates } from './templates/service.ts'
import { pixelRoutes } from './tracking/pixel-routes.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { createUnsubscribing } from './tracking/unsubscribe.ts'
import { unsubscribeRoutes } from './tracking/unsubscribe-routes.ts'

export type App = {
  http: Http
  /** Mail that comes to us; it listens when it is told to. */
  inbound: Receiver
  metrics: MetricsReader
  /** Takes up background work, if this process is a worker. */
  work(): Promise<void>
  close(): Promise<void>
}

type Parts = {
  config: Config
  db: Database
  databaseUrl: string
  /** Of the database's own files, where they are ours (platform/embedded-postgres/files-mark.ts). */
  filesMark?: string | null
  lines?: DatabaseLines | undefined
  masterKey: string
  log: Log
  pagesFolder: string
  /** For tests, whose Telegram takes more than the real one. */
  botPace?: BotPace | undefined
  /** For tests, which make hundreds of accounts: what a password's hash costs, in KiB. */
  passwordCost?: number | undefined
}

const HOUSEKEEPING_MS = 10 * 60 * 1000

/** The one page of wiring: every part is made here, once, from what it needs. */
export async function createApp(parts: Parts): Promise<App> {
  const { config, db, databaseUrl, filesMark = null, lines, masterKey, log, pagesFolder } = parts
  const { publicUrl, mailFrom } = config
  const works = config.roles.has('worker')
  const secrets = await patiently(() => loadSecrets(db, masterKey, log))
  const limiter = createRateLimiter(db)
  const jobs = await startJobs({
    url: databaseUrl,
    lines,
    log,
    works,
    kinds: [PRODUCT_MAIL, REGISTRATION_MAIL, RESET_MAIL, DELIVER, READ_MAIL],
  })

  const notices = createNotices({ db, url: databaseUrl, lines, log })
  const metrics = createMetrics()
  addMeasures(metrics, db)
  const metricsReader = createMetricsReader({ metrics, token: config.metrics.token })
  const sending = await createSending({
    ...{ config, db, databaseUrl, lines, log },
    ...{ secrets, jobs, limiter, notices, metrics },
  })
  const { productMail, settings, delivery, opens, tokens, localMailbox } = sending
  const { inbound, inbox, mailbox, inboundWebhooks } = sending

  const passwords = createPasswords(parts.passwordCost)
  const limits = createAuthLimits(limiter)
  const sessions = createSessions({ db, secrets, publicUrl })
  const attempts = createOwnAttempts({ secrets, publicUrl })
  const signIn = createSignIn({ db, passwords, limits, sessions })
  const registrations = createRegistrations({ db, jobs, secrets, passwords, productMail, publicUrl })
  const cleanAccounts = createAuthHousekeeping(db)
  const resets = createPasswordResets({ db, jobs, passwords, productMail, publicUrl })

  const templates = createTemplates({ db })
  const drafts = createDrafts({ db })
  const campaigns = createCampaigns({
    db,
    delivery,
    settings,
    templates,
    drafts,
    isInboxOf: inbox.isInboxOf,
    tracksOpens: config.tracksOpens,
    publicUrl,
    mailFrom,
  })
  const history = createHistory({ db, delivery, mailFrom, countReplies: mailbox.countAnswers })

  const http = await createHttp({ log, publicUrl, userIdOf: ({ user }) => user?.id ?? null })
  addOpenApi(http, { publicUrl, version: packageJson.version })
  http.decorateRequest('user', null)
  http.addHook('onRequest', requireSession(sessions))
  const readers = config.transport.kind === 'local-mailbox' ? config.transport.readers : 'nobody'
  instanceRoutes(http, {
    db,
    metrics: metricsReader,
    instance: {
      localMailbox: readers === 'nobody' ? null : '/local-mailbox',
      keepsMail: localMailbox !== null,
      mailFrom,
      tracksOpens: config.tracksOpens,
    },
  })
  authRoutes(http, { registrations, resets, signIn, sessions, attempts, limits, publicUrl })
  settingsRoutes(http, { settings })
  templatesRoutes(http, { templates })
  const suppression = createSuppression({ db, delivery })
  suppressionRoutes(http, { suppression })
  draftsRoutes(http, { drafts })
  const stats = createStats({ db })
  statsRoutes(http, { stats })
  trackingRoutes(http, sending)
  pixelRoutes(http, { opens, tokens })
  unsubscribeRoutes(http, { unsubscribing: createUnsubscribing({ db, delivery, tokens }) })
  campaignsRoutes(http, { campaigns, history, delivery })
  inboxRoutes(http, { mailbox, addresses: inbox.addresses })
  contentRoutes(http, { mailbox })
  inboundWebhookRoutes(http, { inboundWebhooks, memory: sending.brought })
  const replies = createReplies({ inbox, campaigns })
  replyRoutes(http, { replies })
  const telegram = createTelegram({
    bot: config.telegram,
    works: config.roles.has('telegram'),
    pace: parts.botPace,
    ...{ publicUrl, db, databaseUrl, lines, limiter, notices, log },
    parts: { stats, history, delivery, campaigns, templates, suppression, mailbox, replies },
  })
  telegramRoutes(http, { telegram, limiter, webhookSecret: config.telegram?.webhookSecret ?? null })
  const live = liveRoutes(http, {
    notices,
    sessions,
    describe: {
      campaign: history.progress,
      message: mailbox.news,
      telegram: async (userId) => ({ links: await telegram.links.ofUser(userId) }),
    },
  })
  if (localMailbox)
    localMailboxRoutes(http, { store: localMailbox, receiver: toInbox(inbox), publicUrl, readers })
  await servePages(http, pagesFolder)

  /**
   * A restored copy sends nothing by itself. One that is found at a start may stand beside its original, which tells what
   * was to be told, and mails of the product that waited then have long lost their use; one that takes the place of ours
   * while we run is the only one there is.
   */
  async function holdBackRestored(database: Database, isBesideAnother: boolean): Promise<void> {
    let held = 0
    const isRestored = await noticeRestore(database, filesMark, async (tx) => {
      held = await delivery.holdRestored(tx)
      await telegram.dropUnheard(tx)
      if (!isBesideAnother) return
      await telegram.leaveToldToOriginal(tx)
      await jobs.discard(PRODUCT_MAIL)
    })
    if (isRestored)
      log.warn({ campaigns: held }, 'this database is a restored copy: its campaigns wait for a person')
  }

  let stopHousekeeping = () => {}

  return {
    http,
    inbound,
    metrics: metricsReader,
    async work() {
      await patiently(() => holdBackRestored(db, true))
      // It may also be put back, or a standby take its place, while we run: all connections are lost by that.
      for (const each of [db, sending.engineDb])
        vetConnections(each, async (line) => (await isWhereItWas(line)) || holdBackRestored(line, false))
      await telegram.work()
      if (!works) return
      await productMail.work()
      await registrations.work()
      await resets.work()
      await delivery.work()
      await inbox.work()
      stopHousekeeping = every(HOUSEKEEPING_MS, log, async () => {
        await cleanAccounts()
        await limiter.prune()
        await inboundWebhooks.forgetOldTokens()
        await telegram.forgetOld()
      })
    },
    async close() {
      stopHousekeeping()
      live.close()
      // Together, since each may take as long as a service manager waits for all; and each in its own right, since a
      // request that does not end must not keep the rest from being handed back.
      const draining = Promise.allSettled([
        http.close().finally(() => opens.close()),
        inbound.close(),
        delivery.stop(),
        inbox.stop(),
        telegram.stop(),
        jobs.stop(),
      ])
      await closeInTurn([...(await draining).map(asStep), () => notices.stop(), () => sending.close()])
    },
  }
}

/** A failure that is told once all the rest is closed. */
const asStep = (result: PromiseSettledResult<void>) => async (): Promise<void> => {
  if (result.status === 'rejected') throw result.reason
}
