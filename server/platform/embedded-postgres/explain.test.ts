import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { explainOutput } from './explain.ts'
import { preparePlaces } from './places.ts'
import { findPostmaster } from './postmaster.ts'
import { aDataDir, aFolder, cleanUp, FAST, removeTemplate } from './testing.ts'

afterEach(cleanUp)
afterAll(removeTemplate)

const start = (dir: string, settings: Record<string, string> = FAST) =>
  startEmbeddedPostgres({ dir, settings })

describe('when PostgreSQL cannot be started, one sentence says why and what to do', () => {
  it('the database was made by another PostgreSQL', async () => {
    const dir = await aDataDir()
    writeFileSync(join(dir, 'postgres/data/PG_VERSION'), '17\n')
    await expect(start(dir)).rejects.toThrow(
      `DATA_DIR ${dir} holds a database of PostgreSQL 17, and this Postrider brings PostgreSQL 18. Run npm run admin -- backup FILE with the Postrider that made it, set DATA_DIR to a new folder, and run npm run admin -- restore FILE with this one.`,
    )
  })

  it('DATA_DIR is a file', async () => {
    const path = join(aFolder(), 'data')
    writeFileSync(path, '')
    await expect(start(path)).rejects.toThrow(
      `DATA_DIR ${path} is not a folder. Remove the file of that name, or set DATA_DIR to another folder.`,
    )
  })

  it('the folder in DATA_DIR is not a database', async () => {
    const dir = await aDataDir()
    rmSync(join(dir, 'postgres/data'), { recursive: true })
    await expect(start(dir)).rejects.toThrow(`The folder postgres in DATA_DIR ${dir} holds no database.`)
  })

  it('the password is lost, or is another one', async () => {
    const dir = await aDataDir()
    const password = readFileSync(join(dir, 'postgres/password'), 'utf8')
    rmSync(join(dir, 'postgres/password'))
    await expect(start(dir)).rejects.toThrow(
      `The file postgres/password is missing in DATA_DIR ${dir}, and the database does not open without it. Put this one file back from where you keep it, and nothing else of the folder.`,
    )
    writeFileSync(join(dir, 'postgres/password'), `not ${password}`)
    await expect(start(dir)).rejects.toThrow(
      `The password in DATA_DIR ${dir} is not that of its database. Put the file postgres/password back from where you keep it, and nothing else of the folder.`,
    )
    expect(await findPostmaster(await preparePlaces(dir))).toBeNull()
  })

  it('PostgreSQL itself gives a reason: its last complaint is quoted, and nothing is left running', async () => {
    const dir = await aDataDir()
    await expect(start(dir, { shared_buffers: 'plenty' })).rejects.toThrow(
      `PostgreSQL did not start in DATA_DIR ${dir}; it says: FATAL:  invalid value for parameter "shared_buffers": "plenty". The whole log is in ${dir}/postgres.log.`,
    )
    await (await start(dir)).stop()
  })

  it.each([
    [
      'postgres: error while loading shared libraries: libxml2.so.2: cannot open shared object file: No such file',
      "Postrider's own PostgreSQL needs the library libxml2.so.2, which this system lacks. Install it, or set DATABASE_URL to a PostgreSQL that you already have.",
    ],
    [
      'initdb: error: could not write file "x": No space left on device',
      'The disk that holds DATA_DIR ./data is full. Free some space and start again, or set DATA_DIR to a folder on another disk.',
    ],
    [
      'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 9 bytes: No space left on device',
      'The shared memory of this machine (/dev/shm) is too small for PostgreSQL. Enlarge it (in Docker: --shm-size=256m) and start again.',
    ],
    [
      'initdb: error: could not look up effective user ID 1234: user does not exist',
      'The user with the number 1234 has no name on this system, and PostgreSQL needs one. Run Postrider as a user that /etc/passwd lists, or set DATABASE_URL to a PostgreSQL that you already have.',
    ],
    ['', 'PostgreSQL did not start in DATA_DIR ./data and gave no reason.'],
  ])('%s', (output, sentence) => {
    expect(explainOutput(output, './data').message).toBe(sentence)
  })
})
