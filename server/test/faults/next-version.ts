import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** What takes the hardest locks: a filled table gets a column of each kind, and an index. */
const MIGRATION = `
alter table campaigns add column of_the_next_version text not null default 'as before';
alter table deliveries add column of_the_next_version bigint generated always as (length(address)) stored;
create index deliveries_of_the_next_version on deliveries (of_the_next_version);
`

/** Postrider as it will be one day: this code, and a migration that this version does not know. */
export type NextVersion = AsyncDisposable & { main: string; verifyCounters: string }

export async function aNextVersion(): Promise<NextVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-next-'))
  const isProduct = (path: string) => !path.endsWith('.test.ts') && path !== join(ROOT, 'server', 'test')
  await Promise.all([
    ...['server', 'contract'].map((part) =>
      cp(join(ROOT, part), join(folder, part), { recursive: true, filter: isProduct }),
    ),
    cp(join(ROOT, 'package.json'), join(folder, 'package.json')),
    symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules')),
    mkdir(join(folder, 'web')).then(() => symlink(join(ROOT, 'web', 'dist'), join(folder, 'web', 'dist'))),
  ])
  await writeFile(join(folder, 'server', 'migrations', '9999-next-version.sql'), MIGRATION)
  const program = (name: string) => join(folder, 'server', name)
  return {
    main: program('main.ts'),
    verifyCounters: program('verify-counters.ts'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
