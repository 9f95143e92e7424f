import packageJson from '../package.json' with { type: 'json' }
import { createAuthHousekeeping } from './auth/housekeeping.ts'
import { createAuthLimits } from './auth/limits.ts'
import { createPasswordResets, RESET_MAIL } from './auth/password-reset.ts'
import { createPasswords } from './auth/passwords.ts'
import { createRegistrations, REGISTRATION_MAIL } from './auth/registration.ts'
import { authRoutes } from './auth/routes.ts'
import { createSessions, requireSession } from './auth/sessions.ts'
import { createSignIn } from './auth/sign-in.ts'
import type { Config } from './config.ts'
import { instanceRoutes } from './instance/routes.ts'
import { localMailboxRoutes } from './local-mailbox/routes.ts'
import { createLocalMailboxStore } from './local-mailbox/store.ts'
import { closeInTurn, every } from './platform/clock.ts'
import type { Database } from './platform/database.ts'
import type { DatabaseLines } from './platform/database-lines.ts'
import { createHttp, type Http } from './platform/http/http.ts'
import { addOpenApi } from './platform/http/openapi.ts'
import { servePages } from './platform/http/pages.ts'
import { startJobs } from './platform/jobs.ts'
import type { Log } from './platform/log.ts'
import { createRateLimiter } from './platform/rate-limit.ts'
import { createSecrets } from './platform/secrets.ts'
import { createProductMail, PRODUCT_MAIL } from './product-mail/service.ts'
import { createProductProvider } from './providers/index.ts'

export type App = {
  http: Http
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
    kinds: [PRODUCT_MAIL, REGISTRATION_MAIL, RESET_MAIL],
  })

  const isOpen = config.transport.kind === 'local-mailbox' && config.transport.isOpen
  const localMailbox = config.transport.kind === 'local-mailbox' ? createLocalMailboxStore(db) : null
  const provider = createProductProvider(config.transport, { deposit: localMailbox?.deposit ?? null })
  const productMail = createProductMail({ jobs, secrets, provider, mailFrom, log })

  const passwords = await createPasswords()
  const limits = createAuthLimits(limiter)
  const sessions = createSessions({ db, secrets, publicUrl })
  const signIn = createSignIn({ db, passwords, limits, sessions })
  const registrations = createRegistrations({ db, jobs, secrets, passwords, productMail, publicUrl })
  const cleanAccounts = createAuthHousekeeping(db)
  const resets = createPasswordResets({ db, jobs, passwords, productMail, publicUrl })

  const http = await createHttp({ log, publicUrl })
  addOpenApi(http, { publicUrl, version: packageJson.version })
  http.decorateRequest('user', null)
  http.addHook('onRequest', requireSession(sessions))
  instanceRoutes(http, {
    db,
    instance: { localMailbox: localMailbox ? '/local-mailbox' : null, mailFrom },
  })
  authRoutes(http, { registrations, resets, signIn, sessions, limits, publicUrl })
  if (localMailbox) localMailboxRoutes(http, { store: localMailbox, publicUrl, isOpen })
  await servePages(http, pagesFolder)

  let stopHousekeeping = () => {}

  return {
    http,
    async work() {
      if (!works) return
      await productMail.work()
      await registrations.work()
      await resets.work()
      stopHousekeeping = every(HOUSEKEEPING_MS, log, async () => {
        await cleanAccounts()
        await limiter.prune()
      })
    },
    async close() {
      stopHousekeeping()
      // Each in its own right: a request that does not end must not keep the jobs from being handed back.
      await closeInTurn([() => http.close(), () => jobs.stop(), () => provider.close()])
    },
  }
}
