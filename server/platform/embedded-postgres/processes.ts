import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Places } from './places.ts'

const run = promisify(execFile)
const hasProc = process.platform === 'linux'

/** True for a process that runs; a zombie is dead, although the kernel still knows its number. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Any other refusal means that it is there and belongs to somebody else.
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
  }
  return !hasProc || (await procStat(pid))?.state !== 'Z'
}

/**
 * Tells a process from a later one that got the same number: boot and moment of birth. Containers need it most,
 * where the same few numbers come back at every start.
 */
export async function birthOf(pid: number): Promise<string> {
  if (process.platform === 'win32') return ''
  if (!hasProc) return ps(pid, 'lstart=')
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return `${boot.trim()}/${(await procStat(pid))?.birth ?? ''}`
}

/** Whether this very process is a postmaster that serves this database. */
export async function isPostmasterOf(places: Places, pid: number): Promise<boolean> {
  const title = ` ${await titleOf(pid)} `
  if (title.includes(` cluster_name=${places.clusterName} `)) return true
  if (!title.includes('postgres')) return false
  // Somebody may have started it by hand, without our name on it.
  return (
    title.includes(` -D ${places.data} `) ||
    (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === places.data
  )
}

/** Backends that outlived their postmaster. They hold the shared memory and would keep a new one from starting. */
export async function orphanedBackends(places: Places): Promise<number[]> {
  const all = await allTitles()
  return all
    .filter(({ title }) => title.startsWith(`postgres: ${places.clusterName}: `))
    .map(({ pid }) => pid)
}

async function procStat(pid: number): Promise<{ state: string; birth: string } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The second field is a name in parentheses that may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', birth: fields[19] ?? '' }
}

/** The command line, or what the process wrote over it; empty for a zombie and for a process that is gone. */
async function titleOf(pid: number): Promise<string> {
  if (hasProc) return procTitle(pid)
  return process.platform === 'win32' ? windowsTitle(pid) : ps(pid, 'command=')
}

const procTitle = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim()

const ps = async (pid: number, column: string): Promise<string> =>
  run('ps', ['-ww', '-o', column, '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )

const windowsTitle = async (pid: number): Promise<string> =>
  run('powershell', [
    '-NoProfile',
    '-Command',
    `(Get-CimInstance Win32_Process -Filter "ProcessId=${pid}").CommandLine`,
  ]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  )

async function allTitles(): Promise<{ pid: number; title: string }[]> {
  if (process.platform === 'win32') return []
  if (!hasProc) {
    const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='])
    return stdout.split('\n').map((line) => {
      const [, pid = '', title = ''] = line.match(/^\s*(\d+)\s+(.*)$/) ?? []
      return { pid: Number(pid), title }
    })
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return Promise.all(pids.map(async (pid) => ({ pid, title: await procTitle(pid) })))
}
