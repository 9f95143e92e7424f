import { loadConfig } from './config.ts'
import { recount } from './delivery/store/recount.ts'
import { checkDatabase, openDatabase } from './platform/database.ts'
import { reachEmbeddedPostgres } from './platform/embedded-postgres/reach.ts'
import { StartError } from './platform/errors.ts'
import { createLog } from './platform/log.ts'

// `npm run verify-counters`: recomputes every counter from the deliveries. It may run beside a Postrider that sends.
async function verify(): Promise<boolean> {
  const config = loadConfig()
  const own = config.databaseUrl === null ? await reachEmbeddedPostgres(config.dataDir) : null
  const db = openDatabase(config.databaseUrl ?? own?.url ?? '', createLog('warn'), { isPatient: true })
  try {
    await checkDatabase(db)
    const { campaigns, deliveries, differences } = await recount(db)
    for (const { campaignId, counter, says, deliveriesSay } of differences)
      say(`Campaign ${campaignId}: ${counter} says ${says}, its deliveries say ${deliveriesSay}`)
    say(`${differences.length} differences in ${campaigns} campaigns with ${deliveries} deliveries`)
    return differences.length === 0
  } finally {
    await db.destroy()
    await own?.stop()
  }
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

try {
  process.exitCode = (await verify()) ? 0 : 1
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
