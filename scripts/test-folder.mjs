// Where tests keep their files. A run makes hundreds of databases, and to write them to a disk takes a tenth of its time;
// so they are kept in memory, where there is plenty of it.
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^postrider-tests-(\d+)-/
const GB = 2 ** 30
/** Several times what a run has been seen to take, and what its browsers and servers need beside it. */
const ROOM = 2 * GB
const MEMORY = 6 * GB

/** A folder for one run, open to the other user that a database of root runs as. */
export async function aTestFolder({
  memory = '/dev/shm',
  disk = tmpdir(),
  // Whoever names a place means it.
  available = process.env.TMPDIR ? 0 : process.availableMemory(),
  room = ROOM,
} = {}) {
  const place = available >= MEMORY && (await hasRoom(memory, room)) ? memory : disk
  await removeLeftovers(place)
  const folder = await mkdtemp(join(place, `postrider-tests-${process.pid}-`))
  await chmod(folder, 0o1777)
  if (place === disk || (await runsPrograms(folder))) return folder
  await rm(folder, { recursive: true })
  return aTestFolder({ disk, available: 0 })
}

async function hasRoom(place, room) {
  const { bavail, bsize } = await statfs(place).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= room
}

/** Some systems let nobody start a program there, and some tests write one. */
async function runsPrograms(folder) {
  const program = join(folder, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(program)
  await rm(program)
  return status === 0
}

/** A run that was killed could not tidy up, and memory is too dear to be left lying. */
async function removeLeftovers(place) {
  for (const name of await readdir(place)) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid && !isAlive(Number(pid))) await rm(join(place, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}
