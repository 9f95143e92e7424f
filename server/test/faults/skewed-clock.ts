import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Debian's libfaketime, installed when it is missing and we may; null where it cannot be had. */
export async function findFaketime(): Promise<string | null> {
  const found = libraryPath()
  if (found || process.getuid?.() !== 0) return found
  await run('apt-get', ['install', '-y', 'faketime'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).catch(() => {})
  return libraryPath()
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
}

function libraryPath(): string | null {
  const path = `/usr/lib/${ARCHITECTURES[process.arch]}/faketime/libfaketimeMT.so.1`
  return existsSync(path) ? path : null
}

/** A clock that is wrong by so many seconds, and can be set while the process runs. */
type SkewedClock = AsyncDisposable & {
  env: Record<string, string>
  set: (seconds: number) => Promise<void>
}

export async function aSkewedClock(library: string, seconds: number): Promise<SkewedClock> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-clock-'))
  const file = join(folder, 'offset')
  const set = (offset: number) => writeFile(file, `${offset < 0 ? '' : '+'}${offset}s\n`)
  await set(seconds)
  return {
    set,
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // Timers run by the steady clock, which nobody sets; only the time of day is wrong.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
