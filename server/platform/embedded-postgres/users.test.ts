import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  aDataDir,
  aFolder,
  aPostrider,
  asOrdinaryUser,
  cleanUp,
  isCloneOpen,
  isRoot,
  killEverything,
  postmasterOf,
  query,
  removeTemplate,
} from './testing.ts'

const HELPER = 'postrider-test'
const isLinuxRoot = isRoot && process.platform === 'linux'

afterEach(cleanUp)
afterAll(() => {
  removeTemplate()
  if (isLinuxRoot) spawnSync('userdel', [HELPER])
})

const uidOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^Uid:\s+(\d+)/m)?.[1])
const ownerOf = (path: string): number => statSync(path).uid
const helperUid = (): number => Number(spawnSync('id', ['-u', HELPER], { encoding: 'utf8' }).stdout)

describe.runIf(isCloneOpen)('as an ordinary user', () => {
  it('makes, runs, adopts and stops the database with no help from root', async () => {
    const folder = aFolder()
    const as = asOrdinaryUser(folder)
    const dir = join(folder, 'data')
    const first = aPostrider({ dir }, as)
    const { url } = await first.ready
    await query(url, 'create table kept (id int)')
    if (isLinuxRoot) expect(uidOf(await postmasterOf(dir))).toBe(ownerOf(folder))
    first.kill('SIGKILL')
    await first.exited
    const second = aPostrider({ dir }, as)
    expect((await second.ready).url).toBe(url)
    second.kill('SIGTERM')
    second.drain()
    await second.said((line) => line.stopped === true)
  })

  it('is told in one sentence when DATA_DIR belongs to somebody else', async () => {
    const folder = aFolder({ mode: 0o755 })
    const as = asOrdinaryUser(aFolder())
    if (!isRoot) chmodSync(folder, 0o500)
    expect(await aPostrider({ dir: folder }, as).refusal).toEqual({
      name: 'PostgresStartError',
      message: `Postrider may not write to DATA_DIR ${folder}. Give the folder to the user that runs Postrider (chown -R), or set DATA_DIR to another folder.`,
    })
  })
})

describe.runIf(isLinuxRoot)('as root', () => {
  it('runs inside a folder that only root may enter, and all files stay root’s', async () => {
    const dir = join(aFolder({ mode: 0o700 }), 'data')
    const app = aPostrider({ dir })
    const { url } = await app.ready
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(ownerOf(join(dir, 'postgres/data/PG_VERSION'))).toBe(0)
    await killEverything(app, dir)
    expect(await query((await aPostrider({ dir }).ready).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isCloneOpen)(
    'runs inside the closed home of another user, which a namespace may not enter',
    async () => {
      const home = aFolder({ mode: 0o700 })
      asOrdinaryUser(home)
      const { url } = await aPostrider({ dir: join(home, 'data'), helperUser: HELPER }).ready
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  it.runIf(isCloneOpen)('leaves a database that an ordinary user made to that user', async () => {
    const folder = aFolder()
    const as = asOrdinaryUser(folder)
    const dir = join(folder, 'data')
    const theirs = aPostrider({ dir }, as)
    await theirs.ready
    await killEverything(theirs, dir)
    const ours = aPostrider({ dir })
    await ours.ready
    expect(uidOf(await postmasterOf(dir))).toBe(ownerOf(folder))
    await killEverything(ours, dir)
    await aPostrider({ dir }, as).ready
  })
})

describe.runIf(isLinuxRoot && isCloneOpen)('as root where user namespaces are forbidden', () => {
  const forbidden = { namespaces: false, helperUser: HELPER }

  it('makes a helper user and runs as it, even inside a folder that only root may enter', async () => {
    const dir = join(aFolder({ mode: 0o700 }), 'data')
    const app = aPostrider({ dir, ...forbidden })
    const { url } = await app.ready
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
    const helper = helperUid()
    expect(helper).toBeGreaterThan(0)
    expect(uidOf(await postmasterOf(dir))).toBe(helper)
    expect(ownerOf(join(dir, 'postgres/data/PG_VERSION'))).toBe(helper)

    // Once they are allowed again, the files stay where they are.
    await killEverything(app, dir)
    const later = await aPostrider({ dir }).ready
    expect(await query(later.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(uidOf(await postmasterOf(dir))).toBe(helper)
  })

  it('lends the helper no rights where every folder is open to it', async () => {
    const folder = aFolder({ mode: 0o755 })
    const dir = await aDataDir(folder)
    chmodSync(dir, 0o711)
    await aPostrider({ dir, ...forbidden }).ready
    const status = readFileSync(`/proc/${await postmasterOf(dir)}/status`, 'utf8')
    expect(status).toMatch(/^CapEff:\s+0+$/m)
  })

  it('hands a database over that was made in a namespace, after a crash too', async () => {
    const dir = await aDataDir()
    const before = aPostrider({ dir })
    const { url } = await before.ready
    await query(url, 'create table kept (id int); insert into kept values (7)')
    await killEverything(before, dir)
    const after = await aPostrider({ dir, ...forbidden }).ready
    expect(await query(after.url, 'select id from kept')).toEqual([{ id: 7 }])
    expect(uidOf(await postmasterOf(dir))).toBe(helperUid())
  })
})
