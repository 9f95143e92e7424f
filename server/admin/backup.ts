import { randomBytes } from 'node:crypto'
import { access, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Config } from '../config.ts'
import { StartError } from '../platform/errors.ts'
import { flushFolder } from '../platform/kept-file.ts'
import { keyFileOf } from '../platform/secrets.ts'
import { writeBackup } from './backup-file.ts'
import { type Command, codeOf, say } from './command.ts'
import { withInstallation } from './database.ts'
import { openSnapshot } from './snapshot.ts'

export const backup: Command = {
  name: 'backup',
  takes: 'FILE',
  does: 'writes everything in the database as it is at one moment into a new file, also while Postrider sends; the key is not in it',
  run: (name) =>
    withInstallation(
      async ({ config, databaseUrl }) => {
        const file = resolve(name)
        await refuseExisting(file)
        await using snapshot = await openSnapshot(databaseUrl)
        const { header, rowsOf } = snapshot
        await writeWhole(file, writeBackup(header, rowsOf))
        const rows = header.tables.reduce((sum, table) => sum + table.rows, 0)
        const { size } = await stat(file)
        await say(`${file} holds ${rows} rows of ${header.tables.length} tables in ${megabytes(size)} MB.`)
        await say(keyNotice(config))
        return 0
      },
      // Once a new version has started there is no way back: who has only fetched it makes the backup still in time.
      { mayBeEarlier: true },
    ),
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1)

const keyNotice = ({ secretKey, dataDir }: Config): string =>
  secretKey === null
    ? `The key that opens the credentials in it is not: keep ${keyFileOf(dataDir)} in another place as well.`
    : 'The key that opens the credentials in it is not: keep SECRET_KEY in another place as well.'

/** One backup never takes the place of another, which may be the better one. */
async function refuseExisting(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new StartError(`${file} exists already; name a file that does not`)
}

/** Under its name there is a whole backup or none. */
async function writeWhole(file: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const folder = dirname(file)
  const draft = join(folder, `.${basename(file)}.${randomBytes(6).toString('hex')}`)
  const handle = await open(draft, 'wx', 0o600).catch((error: unknown) => {
    throw new StartError(`${file} cannot be written: ${reasonOf(error)}`, { cause: error })
  })
  try {
    await pipeline(bytes, createGzip(), handle.createWriteStream({ flush: true }))
    await rename(draft, file)
    await flushFolder(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOSPC')
      throw new StartError(`There is no room for ${file}; nothing was kept`, { cause: error })
    throw error
  } finally {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
