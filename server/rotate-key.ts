import { loadConfig, loadNewSecretKey } from './config.ts'
import { checkDatabase, openDatabase } from './platform/database.ts'
import { reachEmbeddedPostgres } from './platform/embedded-postgres/reach.ts'
import { StartError } from './platform/errors.ts'
import { createLog } from './platform/log.ts'
import { createSecrets, keyFromFile, nextKeyFile } from './platform/secrets.ts'
import { resealAll } from './settings/reseal.ts'
import { createVault } from './settings/vault.ts'

// `npm run rotate-key`, while no Postrider runs: seals all stored credentials under a new key. With SECRET_KEY set the
// new one comes as NEW_SECRET_KEY; otherwise it is made, and takes the place of the key file.
async function rotate(): Promise<void> {
  const config = loadConfig()
  const oldKey = config.secretKey ?? (await keyFromFile(config.dataDir))
  // In a file it is safe on the disk before anything is sealed under it.
  const file = config.secretKey === null ? await nextKeyFile(config.dataDir) : null
  const newKey = file?.key ?? loadNewSecretKey()
  const own = config.databaseUrl === null ? await reachEmbeddedPostgres(config.dataDir) : null
  const db = openDatabase(config.databaseUrl ?? own?.url ?? '', createLog('warn'), { isPatient: true })
  try {
    await checkDatabase(db)
    const [before, after] = [oldKey, newKey].map((key) => createVault(createSecrets(key)))
    if (!before || !after) throw new Error('two keys were given')
    // One that was cut short may have sealed everything already: then the new key opens it.
    const earlier = file?.isLeftOver ? await resealAll(db, after, after).catch(() => null) : null
    const count = earlier ?? (await resealAll(db, before, after))
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
