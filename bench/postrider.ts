import { randomUUID } from 'node:crypto'
import { createApp } from '../server/app.ts'
import { createCampaigns } from '../server/campaigns/service.ts'
import { readConfig } from '../server/config.ts'
import { createLetters } from '../server/delivery/letters.ts'
import { createDelivery, DELIVER } from '../server/delivery/service.ts'
import { createDrafts } from '../server/drafts/service.ts'
import { openDatabase } from '../server/platform/database.ts'
import { startJobs } from '../server/platform/jobs.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { hashToken, randomToken } from '../server/platform/secrets.ts'
import { PRODUCT_ACCOUNT } from '../server/settings/accounts.ts'
import { createTemplates } from '../server/templates/service.ts'
import { peakMemory, recipientOf, theLetter } from './letter.ts'

/**
 * Postrider as one process that serves and sends: for a campaign that the caller posts to it, or for one of any length
 * that enters at the service behind the route. Lines of JSON on its output: first where to call it, and at its end the
 * most memory that it ever held.
 *
 *   node bench/postrider.ts DATABASE_URL SMTP_URL ROLES [RECIPIENTS] [ENVIRONMENT AS JSON]
 */
const [databaseUrl = '', smtpUrl = '', roles = '', streamed = '0', env = '{}'] = process.argv.slice(2)
const config = readConfig({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'a key for benchmarks that is long enough to be accepted',
  SMTP_URL: smtpUrl,
  ROLES: roles,
  LOG_LEVEL: 'warn',
  INBOUND_SMTP_PORT: '0',
  ...(JSON.parse(env) as Record<string, string>),
})
const log = createLog('warn')
const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

await migrate(databaseUrl, log)
const db = openDatabase(databaseUrl, log)
const app = await createApp({
  config,
  db,
  databaseUrl,
  masterKey: config.secretKey ?? '',
  log,
  pagesFolder: new URL('../web/dist', import.meta.url).pathname,
})
await app.work()
await app.http.listen({ host: '127.0.0.1', port: 0 })
const address = app.http.server.address()

const user = await aUser()
const token = randomToken()
await db
  .insertInto('sessions')
  .values({ token_hash: hashToken(token), user_id: user.id })
  .execute()
say({
  url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
  origin: config.publicUrl.origin,
  cookie: `postrider_session=${token}`,
  campaign: Number(streamed) > 0 ? await streamIn(Number(streamed)) : null,
})

process.on('SIGTERM', async () => {
  const { user: userCpu, system } = process.cpuUsage()
  say({ peakMb: peakMemory() / 1e6, cpuMs: (userCpu + system) / 1000 })
  await app.close()
  await db.destroy()
  process.exit(0)
})

async function aUser(): Promise<{ id: string; email: string }> {
  const id = randomUUID()
  const email = `${id}@example.test`
  await db.insertInto('users').values({ id, email, email_key: email, password_hash: '' }).execute()
  return { id, email }
}

/** As an upload would come in: a stream, whose length nobody knows beforehand. */
async function streamIn(count: number): Promise<{ id: string; beganAt: number }> {
  const jobs = await startJobs({ url: databaseUrl, log, kinds: [DELIVER], works: false })
  const delivery = createDelivery({
    db,
    jobs,
    log,
    letters: createLetters({ db, mailFrom: config.mailFrom }),
    providerOf: async () => ({ outage: 'This process only takes in' }),
    letGo: async () => {},
    // Nothing of it is sent from here.
    copiesOf: () => [],
    shared: { account: PRODUCT_ACCOUNT, limits: config.limits, paused: async () => {} },
    retryMs: config.retryMs,
    progressed: () => {},
  })
  // Nothing of it is measured: the sender is the same for all.
  const settings = {
    sender: async () => ({
      fromName: '',
      fromEmail: '',
      account: PRODUCT_ACCOUNT,
      fromAddress: null,
      tracksOpens: true,
      alwaysUnsubscribe: false,
    }),
  }
  const [templates, drafts] = [createTemplates({ db }), createDrafts({ db })]
  const campaigns = createCampaigns({
    db,
    delivery,
    settings,
    templates,
    drafts,
    isInboxOf: async () => false,
    tracksOpens: true,
    publicUrl: config.publicUrl,
    mailFrom: config.mailFrom,
  })
  async function* everybody(): AsyncGenerator<string> {
    for (let index = 1; index <= count; index++) yield recipientOf(index)
  }
  const beganAt = Date.now()
  const { id } = await campaigns.send(user, { ...theLetter(), recipients: everybody() }, null)
  await jobs.stop()
  return { id, beganAt }
}
