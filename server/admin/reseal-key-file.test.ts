import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDeliveryTokens } from '../delivery/tokens.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { createSecrets, keyFromFile, randomToken } from '../platform/secrets.ts'
import { loadSecrets } from '../platform/secrets-former-keys.ts'
import { admin } from '../test/admin.ts'

const log = createLog('silent')
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-reseal-'))
  const postgres = await startEmbeddedPostgres({ dir: dataDir, settings: { fsync: 'off' } })
  await migrate(postgres.url, log)
  await postgres.stop()
})
afterAll(() => rm(dataDir, { recursive: true }))

/** The database as it is between two commands, each of which starts and stops it. */
async function inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dir: dataDir, settings: { fsync: 'off' } })
  const db = openDatabase(postgres.url, log)
  try {
    return await work(db)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

const put = (name: string, key: string) => writeFile(join(dataDir, name), `${key}\n`, { mode: 0o600 })
const keyInUse = async () => (await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()
const reseal = (...words: string[]) => admin({ DATA_DIR: dataDir }, ['reseal', ...words])

/** As many former keys as so many replacements leave, and each still reads what it signed. */
async function expectReadable(signedBy: string[], replacements: number): Promise<void> {
  const key = await keyInUse()
  await inDatabase(async (db) => {
    const delivery = { campaignId: randomUUID(), seq: 7 }
    const { readLinkToken, readReturnToken } = createDeliveryTokens(await loadSecrets(db, key, log))
    for (const { linkToken, returnToken } of signedBy.map((one) =>
      createDeliveryTokens(createSecrets(one)),
    )) {
      expect(readLinkToken(linkToken(delivery))).toEqual(delivery)
      expect(readReturnToken(returnToken(delivery))).toEqual(delivery)
    }
    expect(await db.selectFrom('former_token_keys').select('id').execute()).toHaveLength(2 * replacements)
  })
}

// Nobody keeps credentials in this installation: what was done is to be known without them.
it('a replacement of the key file that was cut short, wherever, is ended by the next without losing or doubling a former key', {
  tags: 'thorough',
}, async () => {
  const first = await keyFromFile(dataDir)
  const second = randomToken()
  await put('secret.key.next', second)
  expect(await reseal(), 'cut before anything was sealed').toMatchObject({ code: 0, err: '' })
  expect(await keyInUse()).toBe(second)
  await expectReadable([first, second], 1)

  await put('secret.key', first)
  await put('secret.key.next', second)
  expect(await reseal(), 'cut after all was sealed').toMatchObject({ code: 0, err: '' })
  expect(await keyInUse()).toBe(second)
  await expectReadable([first, second], 1)

  const { out } = await reseal()
  expect(out).toContain(`keep ${dataDir}/secret.key in another place than the backups.`)
  const third = await keyInUse()
  await expectReadable([first, second, third], 2)

  await put('secret.key', second)
  await put('secret.key.next', third)
  expect(await reseal(), 'the second one, cut after all was sealed').toMatchObject({ code: 0, err: '' })
  expect(await keyInUse()).toBe(third)
  await expectReadable([first, second, third], 2)

  await put('secret.key', randomToken())
  await put('secret.key.next', randomToken())
  expect(await reseal(), 'neither of the two keys is the right one').toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The key of this installation does not open .*nothing was changed/),
  })
  await rm(join(dataDir, 'secret.key.next'))
  await put('secret.key', third)
  await expectReadable([first, second, third], 2)
})

it.each(['', 'half-of-a-key'])(
  'a replacement that was cut short as its new key was written (%j) is simply run again',
  { tags: 'thorough' },
  async (stub) => {
    const before = await keyInUse()
    const next = join(dataDir, 'secret.key.next')
    await writeFile(next, stub)
    await put('secret.key', randomToken())
    expect(await reseal(), 'not by a key that is not the right one').toMatchObject({ code: 1, out: '' })
    expect(await readFile(next, 'utf8')).toBe(stub)
    await put('secret.key', before)
    expect(await reseal()).toMatchObject({ code: 0, err: '' })
    expect(await keyInUse()).not.toBe(before)
    expect(await readdir(dataDir)).not.toContain('secret.key.next')
  },
)

it('a key file is replaced without what a lost key had sealed at the word only, and twice where that was cut short', {
  tags: 'thorough',
}, async () => {
  const before = await keyInUse()
  const sealed_key = createSecrets('a key that nobody has any more, long enough').seal('somewhere', 'x')
  const lost = { id: randomUUID(), purpose: 'delivery-link', sealed_key }
  await inDatabase((db) => db.insertInto('former_token_keys').values(lost).execute())
  expect(await reseal()).toMatchObject({ code: 1, err: expect.stringMatching(/reseal drop-lost\n$/) })
  expect([await keyInUse(), await readdir(dataDir)]).toEqual([
    before,
    expect.not.arrayContaining(['secret.key.next']),
  ])

  const next = randomToken()
  await put('secret.key.next', next)
  expect(await reseal('drop-lost'), 'cut before anything was sealed').toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Dropped,.*\n-\t-\tformer key of delivery-link\nThe credentials of 0/),
  })
  expect(await keyInUse()).toBe(next)
  await put('secret.key', before)
  await put('secret.key.next', next)
  expect(await reseal('drop-lost'), 'cut after all was sealed').toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The credentials of 0/),
  })
  expect(await keyInUse()).toBe(next)
  await expectReadable([before, next], 5)
})

it.each(['long enough to be a key: 0123456789', 'too short'])(
  'a NEW_SECRET_KEY that would be ignored is refused with the cure: %s',
  async (named) => {
    const before = [await keyFromFile(dataDir), await readdir(dataDir)]
    const { code, out, err } = await admin({ DATA_DIR: dataDir, NEW_SECRET_KEY: named }, ['reseal'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^NEW_SECRET_KEY is taken only where SECRET_KEY is set; .* or remove NEW_SECRET_KEY\n$/,
    )
    expect([await keyInUse(), await readdir(dataDir)]).toEqual(before)
  },
)
