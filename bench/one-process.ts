import { randomUUID } from 'node:crypto'
import { createApp } from '../server/app.ts'
import { createCampaigns } from '../server/campaigns/service.ts'
import { readConfig } from '../server/config.ts'
import { createLetters } from '../server/delivery/letters.ts'
import { createDelivery, DELIVER } from '../server/delivery/service.ts'
import { openDatabase } from '../server/platform/database.ts'
import { startJobs } from '../server/platform/jobs.ts'
import { createLog } from '../server/platform/log.ts'
import { migrate } from '../server/platform/migrate.ts'
import { createSettings } from '../server/settings/service.ts'
import { createTemplates } from '../server/templates/service.ts'
import { peakMemory, theLetter } from './letter.ts'

/**
 * Postrider as one worker process, measured from within: accepts a campaign through the service behind the route and
 * sends it. Answers one line of JSON: how long each part took, and the most memory that the process ever held.
 *
 *   node bench/one-process.ts DATABASE_URL SMTP_URL RECIPIENTS
 */
const [databaseUrl = '', smtpUrl = '', count = '0'] = process.argv.slice(2)
const recipients = Number(count)
const config = readConfig({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'a key for benchmarks that is long enough to be accepted',
  SMTP_URL: smtpUrl,
  LOG_LEVEL: 'warn',
})
const log = createLog('warn')
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

const user = { id: randomUUID(), email: 'bench@example.test' }
await db
  .insertInto('users')
  .values({ id: user.id, email: user.email, email_key: user.id, password_hash: '' })
  .execute()
const jobs = await startJobs({ url: databaseUrl, log, kinds: [DELIVER], works: false })
const delivery = createDelivery({
  db,
  jobs,
  log,
  letters: createLetters({ db, mailFrom: config.mailFrom }),
  providerOf: () => null,
  domain: 'example.test',
  retryMs: config.retryMs,
  progressed: () => {},
})
const campaigns = createCampaigns({
  db,
  delivery,
  settings: createSettings({ db }),
  templates: createTemplates({ db }),
})

async function* everybody(): AsyncGenerator<string> {
  for (let index = 1; index <= recipients; index++) yield `recipient${index}@example.test`
}

const began = performance.now()
const { id } = await campaigns.send(user, { ...theLetter(), recipients: everybody() }, null)
const accepted = performance.now()
let left = recipients
while (left > 0) {
  await new Promise((resolve) => setTimeout(resolve, 20))
  const run = await db
    .selectFrom('runs')
    .select(['queued', 'in_flight', 'accepted'])
    .where('campaign_id', '=', id)
    .executeTakeFirstOrThrow()
  left = run.queued + run.in_flight
  if (left === 0 && run.accepted !== recipients) throw new Error(`only ${run.accepted} of ${recipients} were accepted`)
}
const done = performance.now()
const { user: userCpu, system } = process.cpuUsage()
process.stdout.write(
  `${JSON.stringify({
    recipients,
    acceptMs: accepted - began,
    totalMs: done - began,
    peakRssMb: peakMemory() / 1e6,
    cpuMs: (userCpu + system) / 1000,
  })}\n`,
)
await app.close()
await jobs.stop()
await db.destroy()
