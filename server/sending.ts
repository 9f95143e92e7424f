import { emailOf } from './auth/owners.ts'
import type { Config } from './config.ts'
import { createCopies } from './delivery/copies.ts'
import { createLetters } from './delivery/letters.ts'
import { pauseMail } from './delivery/pause-mail.ts'
import { createReturnPaths } from './delivery/return-paths.ts'
import { createDelivery } from './delivery/service.ts'
import { countDue } from './delivery/store/candidates.ts'
import { createDeliveryTokens } from './delivery/tokens.ts'
import { createIntake } from './inbound/intake.ts'
import { createReceiver } from './inbound/receiver.ts'
import { createMailbox } from './inbox/mailbox.ts'
import type { InboxLimits } from './inbox/quota.ts'
import { createInbox } from './inbox/service.ts'
import { createInboundWebhooks } from './inbox/webhooks.ts'
import { addMetricsOfSending } from './instance/metrics-of-sending.ts'
import { reportsOf } from './local-mailbox/reports.ts'
import { createLocalMailboxStore } from './local-mailbox/store.ts'
import { createMailReader } from './mail-reading/mail-reader.ts'
import { closeInTurn } from './platform/clock.ts'
import { type Database, openDatabase } from './platform/database.ts'
import type { DatabaseLines } from './platform/database-lines.ts'
import { createDialer, privateRules, trustedDial } from './platform/dialer.ts'
import { createDownload } from './platform/download.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { createMemoryBudget } from './platform/memory-budget.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Notices } from './platform/notices.ts'
import type { RateLimiter } from './platform/rate-limit.ts'
import type { Secrets } from './platform/secrets.ts'
import { createProductMail } from './product-mail/service.ts'
import { createProductProvider } from './providers/index.ts'
import { createOwnProvider, type OwnAccount } from './providers/own-account.ts'
import { domainOf } from './providers/provider.ts'
import { createResendInbound } from './providers/resend-inbound.ts'
import { confirmSubscription, createCertificateStore } from './providers/sns.ts'
import { createAccounts, ownAccountName, PRODUCT_ACCOUNT } from './settings/accounts.ts'
import { createSettings } from './settings/service.ts'
import { createVault } from './settings/vault.ts'
import { createIngestion } from './tracking/ingestion.ts'
import { createOpens } from './tracking/opens.ts'
import { createWebhooks } from './tracking/webhooks.ts'

type Parts = {
  config: Config
  db: Database
  databaseUrl: string
  lines?: DatabaseLines | undefined
  log: Log
  secrets: Secrets
  jobs: Jobs
  limiter: RateLimiter
  notices: Notices
  metrics: Metrics
}

const ENGINE_POOL_SIZE = 6
/** For all mails that are coming in, by whichever way: the largest that is taken, and some more. */
const INCOMING_BYTES = 40_000_000
/** For calls that bring mails, from those only who know a secret address: one as it came, decoded and put together anew. */
const BROUGHT_BYTES = 110_000_000

/** The wiring of how mail leaves, and of what is told of it later. */
export async function createSending(parts: Parts) {
  const { config, db, databaseUrl, lines, log, secrets, jobs, limiter, notices, metrics } = parts
  const { publicUrl, mailFrom } = config

  const productSecret = config.transport.kind === 'resend' ? config.transport.webhookSecret : null
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
    log,
  })
  // A pool of its own: however many requests are being answered, leases are renewed and outcomes written.
  const engineDb = openDatabase(databaseUrl, log, { size: ENGINE_POOL_SIZE, ...(lines ? { lines } : {}) })
  const tokens = createDeliveryTokens(secrets)
  // Not by itself: no mail server finds the way to a receiver that nobody has asked for, and a return path that leads
  // nowhere may be refused as a sender.
  const hasReceiver = config.inbound.port > 0 && config.inbound.isWished
  const returnPaths = createReturnPaths({
    ...{ tokens, mailFrom },
    domain: hasReceiver ? config.inbound.domain : null,
  })
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
    observer: addMetricsOfSending(metrics, () => countDue(db)),
  })
  const ingestion = createIngestion({ delivery })
  const reader = createMailReader({ log })
  const inbox = createInbox({
    ...{ db, jobs, tokens, reader, notices, log, mailFrom },
    domain: config.inbound.domain,
    isReceiving: hasReceiver || localMailbox !== null || productSecret !== null,
    limits: inboxLimits(config),
  })
  const mailbox = createMailbox({ db, reader, notices })
  const incoming = createMemoryBudget({ bytes: INCOMING_BYTES })
  const intake = createIntake({ returnPaths, tokens, delivery, inbox, limiter, log })
  const inbound = createReceiver({ ...intake, domain: config.inbound.domain, memory: incoming, log })
  const opens = createOpens({ db, delivery, log })
  const { snsCertificates } = config.vendors
  const sns = {
    fetchCertificate: createCertificateStore({ baseUrl: snsCertificates }),
    confirmSubscription: (url: URL) => confirmSubscription(url, { baseUrl: snsCertificates }),
  }
  const webhooks = createWebhooks({ settings, ingestion, productSecret, log, ...sns })
  const inboundWebhooks = createInboundWebhooks({
    ...{ db, settings, inbox, intake, log, ...sns },
    product: productSecret === null ? null : { secret: productSecret, read: readResend(config, dial, log) },
  })

  return {
    engineDb,
    localMailbox,
    productMail,
    settings,
    tokens,
    delivery,
    inbound,
    inbox,
    mailbox,
    incoming,
    opens,
    webhooks,
    inboundWebhooks,
    brought: createMemoryBudget({ bytes: BROUGHT_BYTES }),
    /** After all that sends has ended. */
    close: () => closeInTurn([() => provider.close(), () => reader.close(), () => engineDb.destroy()]),
  }
}

/** How full a disk is can be told only of this machine's, and only there does the built-in database lie. */
const inboxLimits = ({ inboxLimits: limits, databaseUrl, dataDir }: Config): InboxLimits => ({
  daily: { messages: limits.messages, bytes: limits.megabytes * 1_000_000 },
  free: databaseUrl === null ? { folder: dataDir, bytes: limits.freeMegabytes * 1_000_000 } : null,
})

/** Received mail lies where Resend says; only at the operator's own address for Resend may that be a private place. */
function readResend(
  { transport, vendors }: Pick<Config, 'transport' | 'vendors'>,
  dial: ReturnType<typeof createDialer>,
  log: Log,
) {
  const apiKey = transport.kind === 'resend' ? transport.apiKey : ''
  const download = createDownload({ dial, trusted: { origin: vendors.resend.origin, dial: trustedDial } })
  return createResendInbound({ apiKey, baseUrl: vendors.resend, download, log })
}
