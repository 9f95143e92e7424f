import packageJson from '../package.json' with { type: 'json' }
import { createAuthHousekeeping } from './auth/housekeeping.ts'
import { createAuthLimits } from './auth/limits.ts'
import { emailOf } from './auth/owners.ts'
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
import { createCopies } from './delivery/copies.ts'
import { createLetters } from './delivery/letters.ts'
import { pauseMail } from './delivery/pause-mail.ts'
import { createReturnPaths } from './delivery/return-paths.ts'
import { createDelivery, DELIVER } from './delivery/service.ts'
import { createDeliveryTokens } from './delivery/tokens.ts'
import { draftsRoutes } from './drafts/routes.ts'
import { createDrafts } from './drafts/service.ts'
import type { Receiver } from './inbound/receiver.ts'
import { createInbound } from './inbound/service.ts'
import { instanceRoutes } from './instance/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { reportsOf } from './local-mailbox/reports.ts'
import { localMailboxRoutes } from './local-mailbox/routes.ts'
import { createLocalMailboxStore } from './local-mailbox/store.ts'
import { closeInTurn, every } from './platform/clock.ts'
import { type Database, openDatabase } from './platform/database.ts'
import type { DatabaseLines } from './platform/database-lines.ts'
import { createDialer, privateRules } from './platform/dialer.ts'
import { createHttp, type Http } from './platform/http/http.ts'
import { addOpenApi } from './platform/http/openapi.ts'
import { servePages } from './platform/http/pages.ts'
import { noticeRestore } from './platform/installation.ts'
import { startJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { createNotices } from './platform/notices.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { createSecrets } from './platform/secrets.ts'
import { createProductMail, PRODUCT_MAIL } from './product-mail/service.ts'
import { createProductProvider } from './providers/index.ts'
import { createOwnProvider, type OwnAccount } from './providers/own-account.ts'
import { domainOf } from './providers/provider.ts'
import { confirmSubscription, createCertificateStore } from './providers/sns.ts'
import { createAccounts, ownAccountName, PRODUCT_ACCOUNT } from './settings/accounts.ts'
import { settingsRoutes } from './settings/routes.ts'
import { createSettings } from './settings/service.ts'
import { createVault } from './settings/vault.ts'
import { statsRoutes } from './stats/routes.ts'
import { createStats } from './stats/service.ts'
import { suppressionRoutes } from './suppression/routes.ts'
import { createSuppression } from './suppression/service.ts'
import { templatesRoutes } from './templates/routes.ts'
import { createTemplates } from './templates/service.ts'
import { createIngestion } from './tracking/ingestion.ts'
import { createOpens } from './tracking/opens.ts'
import { pixelRoutes } from './tracking/pixel-routes.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { createUnsubscribing } from './tracking/unsubscribe.ts'
import { unsubscribeRoutes } from './tracking/unsubscribe-routes.ts'
import { createWebhooks } from './tracking/webhooks.ts'

export type App = {
  http: Http
  /** Mail that comes to us; it listens when it is told to. */
  inbound: Receiver
  /** Takes up background work, if this process is a worker. */
  work(): Promise<void>
  close(): Promise<void>
}

type Parts = {
  config: Config
  db: Database
  databaseUrl: string
  lines?: DatabaseLines | undefined
  masterKey: string
  log: Log
  pagesFolder: string
}

const ENGINE_POOL_SIZE = 6
const HOUSEKEEPING_MS = 10 * 60 * 1000

/** The one page of wiring: every part is made here, once, from what it needs. */
export async function createApp(parts: Parts): Promise<App> {
  const { config, db, databaseUrl, lines, masterKey, log, pagesFolder } = parts
  const { publicUrl, mailFrom } = config
  const works = config.roles.has('worker')
  const secrets = createSecrets(masterKey)
  const limiter = createRateLimiter(db)
  const jobs = await startJobs({
    url: databaseUrl,
    lines,
    log,
    works,
    kinds: [PRODUCT_MAIL, REGISTRATION_MAIL, RESET_MAIL, DELIVER],
  })

  const isOpen = config.transport.kind === 'local-mailbox' && config.transport.isOpen
  const localMailbox = config.transport.kind === 'local-mailbox' ? createLocalMailboxStore(db) : null
  const provider = await createProductProvider(config.transport, {
    dkim: config.dkim,
    deposit:
      localMailbox &&
      (async (letter, copies) => {
        const ids = await localMailbox.deposit(letter, copies)
        await ingestion.record(PRODUCT_ACCOUNT, reportsOf(copies, new Date()))
        return ids
      }),
  })
  const productMail = createProductMail({ jobs, secrets, provider, mailFrom, log })

  const passwords = await createPasswords()
  const limits = createAuthLimits(limiter)
  const sessions = createSessions({ db, secrets, publicUrl })
  const signIn = createSignIn({ db, passwords, limits, sessions })
  const registrations = createRegistrations({ db, jobs, secrets, passwords, productMail, publicUrl })
  const cleanAccounts = createAuthHousekeeping(db)
  const resets = createPasswordResets({ db, jobs, passwords, productMail, publicUrl })

  const notices = createNotices({ db, url: databaseUrl, lines, log })
  const vault = createVault(secrets)
  const isAllowedPrivate = privateRules(config.allowPrivateHosts)
  const dial = createDialer({ allowedPrivate: config.allowPrivateHosts })
  const createProvider = (account: OwnAccount) =>
    createOwnProvider(account, { vendors: config.vendors, dial, isAllowedPrivate })
  const settings = createSettings({
    db,
    vault,
    limiter,
    mailFrom,
    productProvider: provider,
    createProvider,
    isAllowedPrivate,
    publicUrl,
    accountChanged: (tx, userId) => delivery.freeAccount(tx, ownAccountName(userId)),
  })
  const templates = createTemplates({ db })
  const drafts = createDrafts({ db })
  // A pool of its own: however many requests are being answered, leases are renewed and outcomes written.
  const engineDb = openDatabase(databaseUrl, log, { size: ENGINE_POOL_SIZE, ...(lines ? { lines } : {}) })
  const tokens = createDeliveryTokens(secrets)
  // Not by itself: a return path that no mail server finds the way to may be refused as a sender.
  const inboundDomain = config.inbound.port === 0 || !config.inbound.isWished ? null : config.inbound.domain
  const returnPaths = createReturnPaths({ tokens, domain: inboundDomain, mailFrom })
  const delivery = createDelivery({
    db: engineDb,
    jobs,
    log,
    letters: createLetters({ db: engineDb, mailFrom }),
    copiesOf: createCopies({ domain: domainOf(mailFrom), tokens, returnPaths }),
    ...createAccounts({ db: engineDb, vault, productProvider: provider, createProvider, log }),
    shared: {
      account: PRODUCT_ACCOUNT,
      limits: config.limits,
      async paused(tx, { userId, reason }) {
        const to = await emailOf(tx, userId)
        if (to) await productMail.send(tx, pauseMail(to, reason, publicUrl))
      },
    },
    retryMs: config.retryMs,
    progressed: ({ id, userId }) => notices.publish({ userId, kind: 'campaign', id }),
  })
  const ingestion = createIngestion({ delivery })
  const inbound = createInbound({ domain: config.inbound.domain, returnPaths, delivery, log })
  const opens = createOpens({ db, delivery, log })
  const { snsCertificates } = config.vendors
  const webhooks = createWebhooks({
    settings,
    ingestion,
    productSecret: config.transport.kind === 'resend' ? config.transport.webhookSecret : null,
    fetchCertificate: createCertificateStore({ baseUrl: snsCertificates }),
    confirmSubscription: (url) => confirmSubscription(url, { baseUrl: snsCertificates }),
  })
  const campaigns = createCampaigns({
    db,
    delivery,
    settings,
    templates,
    drafts,
    tracksOpens: config.tracksOpens,
    publicUrl,
  })
  const history = createHistory({ db, delivery, mailFrom })

  const http = await createHttp({ log, publicUrl })
  addOpenApi(http, { publicUrl, version: packageJson.version })
  http.decorateRequest('user', null)
  http.addHook('onRequest', requireSession(sessions))
  instanceRoutes(http, {
    db,
    instance: {
      localMailbox: localMailbox ? '/local-mailbox' : null,
      mailFrom,
      telegramBot: null,
      tracksOpens: config.tracksOpens,
    },
  })
  authRoutes(http, { registrations, resets, signIn, sessions, limits, publicUrl })
  settingsRoutes(http, { settings })
  templatesRoutes(http, { templates })
  suppressionRoutes(http, { suppression: createSuppression({ db, delivery }) })
  draftsRoutes(http, { drafts })
  statsRoutes(http, { stats: createStats({ db }) })
  trackingRoutes(http, { webhooks })
  pixelRoutes(http, { opens, tokens })
  unsubscribeRoutes(http, { unsubscribing: createUnsubscribing({ db, delivery, tokens }) })
  campaignsRoutes(http, { campaigns, history, delivery })
  const live = liveRoutes(http, { notices, describe: { campaign: history.progress } })
  if (localMailbox) localMailboxRoutes(http, { store: localMailbox, publicUrl, isOpen })
  await servePages(http, pagesFolder)

  /** A restored copy sends nothing by itself; mails of the product that were waiting then have long lost their use. */
  async function holdBackRestored(): Promise<void> {
    let held = 0
    const isRestored = await noticeRestore(db, async (tx) => {
      held = await delivery.holdRestored(tx)
      await jobs.discard(PRODUCT_MAIL)
    })
    if (isRestored)
      log.warn({ campaigns: held }, 'this database is a restored copy: its campaigns wait for a person')
  }

  let stopHousekeeping = () => {}

  return {
    http,
    inbound,
    async work() {
      if (!works) return
      await holdBackRestored()
      await productMail.work()
      await registrations.work()
      await resets.work()
      await delivery.work()
      stopHousekeeping = every(HOUSEKEEPING_MS, log, async () => {
        await cleanAccounts()
        await limiter.prune()
        await campaigns.forgetOldKeys()
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
        jobs.stop(),
      ])
      await closeInTurn([
        ...(await draining).map(asStep),
        () => notices.stop(),
        () => provider.close(),
        () => engineDb.destroy(),
      ])
    },
  }
}

/** A failure that is told once all the rest is closed. */
const asStep = (result: PromiseSettledResult<void>) => async (): Promise<void> => {
  if (result.status === 'rejected') throw result.reason
}
