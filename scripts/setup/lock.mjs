import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from './errors.mjs'

const POLL_MS = 100

/**
 * Runs `work` while no other set-up of this clone does. The lock names its holder and the program that the holder
 * runs (npm may outlive a killed set-up and must not be met by a second one), and is void when both are gone.
 *
 * @param {string} root
 * @param {(child: (pid: number) => void) => Promise<void>} work
 */
export async function withLock(root, work) {
  const folder = join(root, '.cache')
  const path = join(folder, 'setup.lock')
  const token = randomUUID()
  const content = (/** @type {number[]} */ pids) =>
    JSON.stringify({ token, holders: pids.map((pid) => ({ pid, birth: birthOf(pid) })) })
  try {
    mkdirSync(folder, { recursive: true })
    await acquire(path, content([process.pid]))
  } catch (error) {
    if (error?.code === undefined) throw error
    throw new SetupError(
      `Postrider may not write to its folder ${root} (${error.code}). Give the folder to the user that runs it, or run it as its owner.`,
    )
  }
  const release = () => {
    if (read(path)?.token === token) rmSync(path, { force: true })
  }
  process.once('exit', release)
  try {
    await work((pid) => {
      const draft = `${path}.${token}`
      writeFileSync(draft, content([process.pid, pid]))
      renameSync(draft, path)
    })
  } finally {
    process.off('exit', release)
    release()
  }
}

async function acquire(path, content) {
  let said = false
  while (!create(path, content)) {
    const lock = read(path)
    const holder = lock?.holders.find(({ pid, birth }) => isAlive(pid) && birthOf(pid) === birth)
    if (!holder) {
      discard(path, lock?.token)
      continue
    }
    if (!said) console.log(`Another set-up is at work (process ${holder.pid}); waiting for it…`)
    said = true
    await sleep(POLL_MS)
  }
}

/** A hard link appears with its whole content or not at all, so nobody reads half a lock. */
function create(path, content) {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, content, { flag: 'wx' })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Renamed before it is removed: of two that judge a lock void, only one may, and never a lock made since. */
function discard(path, judgedToken) {
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  try {
    if (read(aside)?.token !== judgedToken) linkSync(aside, path)
  } catch {
    // A third one holds the lock by now.
  }
  rmSync(aside, { force: true })
}

function read(path) {
  try {
    const lock = JSON.parse(readFileSync(path, 'utf8'))
    return Array.isArray(lock.holders) ? lock : null
  } catch {
    return null
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

/** Tells a process from a later one with the same number; empty where the system does not say. */
function birthOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // A zombie has ended; that nobody collects it, as in many containers, must not hold the lock.
      return state === 'Z'
        ? `ended ${randomUUID()}`
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[18]}`
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}
