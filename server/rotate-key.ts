import { loadConfig, loadNewSecretKey } from './config.ts'
import { checkDatabase, openDatabase } from './platform/database.ts'
import { reachEmbeddedPostgres } from './platform/embedded-postgres/reach.ts'
import { StartError } from './platform/errors.ts'
import { createLog } from './platform/log.ts'
import { createSecrets, keyFromFile, nextKeyFile, randomToken } from './platform/secrets.ts'
import { resealAll } from './settings/reseal.ts'
import { createVault } from './settings/vault.ts'

// `npm run rotate-key`, while no Postrider runs: seals all stored credentials under a new key. With SECRET_KEY set the
// new one comes as NEW_SECRET_KEY; otherwise it is made, and takes the place of the key file.
async function rotate(): Promise<void> {
  const config = loadConfig()
  const newKey = config.secretKey === null ? randomToken() : loadNewSecretKey()
  const oldKey = config.secretKey ?? (await keyFromFile(config.dataDir))
  const own = config.databaseUrl === null ? await reachEmbeddedPostgres(config.dataDir) : null
  const db = openDatabase(config.databaseUrl ?? own?.url ?? '', createLog('warn'), { isPatient: true })
  try {
    await checkDatabase(db)
    // Safe on the disk before anything is sealed under it.
    const file = config.secretKey === null ? await nextKeyFile(config.dataDir, newKey) : null
    const count = await resealAll(db, createVault(createSecrets(oldKey)), createVault(createSecrets(newKey)))
    await file?.takeItsPlace()
    say(`The credentials of ${count} users are sealed under the new key.`)
    say(
      file === null
        ? 'Now start Postrider with SECRET_KEY set to it.'
        : 'The key file has been replaced; back up DATA_DIR again.',
    )
  } finally {
    await db.destroy()
    await own?.stop()
  }
}

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

try {
  await rotate()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
