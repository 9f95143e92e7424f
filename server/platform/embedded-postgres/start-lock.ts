import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AlreadyRunningError, codeOf, explainFileError } from './explain.ts'
import type { Places } from './places.ts'
import { birthOf, isAlive } from './processes.ts'

const POLL_MS = 25
// Longer than a first start on a slow disk; whoever waits beyond that had better be told.
const PATIENCE_MS = 120_000

/**
 * Runs `work` while no other process makes, starts or adopts this database. The lock lasts a second or so, names its
 * holder, and is void as soon as that process is gone: nothing has to be cleaned up by hand after `kill -9`. It keeps
 * starts from getting in each other's way; that only one Postrider runs is decided by the database (session.ts).
 */
export async function withStartLock<T>(places: Places, work: () => Promise<T>): Promise<T> {
  const mine = JSON.stringify({ pid: process.pid, birth: await birthOf(process.pid), token: randomUUID() })
  await acquire(places, mine)
  try {
    return await work()
  } finally {
    if ((await contentOf(places, places.lock)) === mine) await rm(places.lock, { force: true })
  }
}

async function acquire(places: Places, mine: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await create(places, mine))) {
    const theirs = await contentOf(places, places.lock)
    if (theirs === null) continue
    const holder = parse(theirs)
    if (holder && (await isHeldBy(holder))) {
      if (Date.now() > deadline) throw new AlreadyRunningError(places.shown, holder.pid)
      await sleep(POLL_MS)
    } else await discard(places, theirs)
  }
}

/** A hard link appears with its whole content or not at all, so nobody ever reads half a lock. */
async function create(places: Places, content: string): Promise<boolean> {
  const draft = `${places.lock}.${randomUUID()}`
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600 })
    await link(draft, places.lock)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw explainFileError(error, places.shown)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Takes a void lock away. Two waiters may judge the same lock void, and the slower one must not remove what the faster
 * one made since: it is renamed first, which only one of them can do, and put back if it is not the one that was judged.
 */
async function discard(places: Places, judged: string): Promise<void> {
  const aside = `${places.lock}.${randomUUID()}`
  try {
    await rename(places.lock, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw explainFileError(error, places.shown)
  }
  if ((await contentOf(places, aside)) !== judged) await link(aside, places.lock).catch(() => undefined)
  await rm(aside, { force: true })
}

type Holder = { pid: number; birth: string }

const isHeldBy = async ({ pid, birth }: Holder): Promise<boolean> =>
  (await isAlive(pid)) && (await birthOf(pid)) === birth

/** Null where it is gone. One that cannot be read, as of another user, says nothing about its holder, ever. */
const contentOf = (places: Places, path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw explainFileError(error, places.shown)
  })

function parse(content: string): Holder | null {
  try {
    const holder: unknown = JSON.parse(content)
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('birth' in holder))
      return null
    return typeof holder.pid === 'number' && typeof holder.birth === 'string'
      ? { pid: holder.pid, birth: holder.birth }
      : null
  } catch {
    return null
  }
}
