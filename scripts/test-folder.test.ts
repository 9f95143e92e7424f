import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aTestFolder } from './test-folder.mjs'

/** No process has it: the kernel gives none above four millions. */
const GONE = 99_999_999

let place: { memory: string; disk: string }
beforeEach(() => {
  const [memory, disk] = ['memory', 'disk'].map((name) => mkdtempSync(join(tmpdir(), `${name}-`)))
  place = { memory, disk }
})
afterEach(() => {
  for (const folder of Object.values(place)) rmSync(folder, { recursive: true })
})

const PLENTY = 2 ** 50

describe('the folder of a run', () => {
  it('is in memory where there is plenty, and leaves nothing of how that was found out', async () => {
    const folder = await aTestFolder({ ...place, available: PLENTY, room: 1 })
    expect(dirname(folder)).toBe(place.memory)
    expect(readdirSync(folder)).toEqual([])
  })

  it('is on the disk where there is memory, but no room is left in it for files', async () => {
    const folder = await aTestFolder({ ...place, available: PLENTY, room: PLENTY })
    expect(dirname(folder)).toBe(place.disk)
  })

  it('is on the disk where memory is short', async () => {
    const folder = await aTestFolder({ ...place, available: 4 * 2 ** 30 })
    expect(dirname(folder)).toBe(place.disk)
  })

  it('is on the disk where nothing is kept in memory', async () => {
    const folder = await aTestFolder({
      ...place,
      memory: join(place.memory, 'none'),
      available: PLENTY,
      room: 1,
    })
    expect(dirname(folder)).toBe(place.disk)
  })

  it('is open to the user that a database of root runs as', async () => {
    expect(statSync(await aTestFolder({ ...place, available: 0 })).mode & 0o7777).toBe(0o1777)
  })

  it('is the first after a killed run to remove what that left, and leaves others alone', async () => {
    const names = [`postrider-tests-${GONE}-abc`, `postrider-tests-${process.pid}-abc`, `other-${GONE}-abc`]
    for (const name of names) mkdirSync(join(place.disk, name, 'inside'), { recursive: true })
    await aTestFolder({ ...place, available: 0 })
    expect(names.map((name) => existsSync(join(place.disk, name)))).toEqual([false, true, true])
  })
})
