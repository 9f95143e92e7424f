import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { createLog } from './log.ts'
import { createSecrets, signingKeyOf } from './secrets.ts'
import { findFormerKeys, keepFormerKeys, loadSecrets, openFormerKey } from './secrets-former-keys.ts'

const OLD_KEY = 'the first key of this test, long enough'
const NEW_KEY = 'the second key of this test, long enough'
const OTHER_KEY = 'a third key of this test, long enough'
const [old, next, other] = [createSecrets(OLD_KEY), createSecrets(NEW_KEY), createSecrets(OTHER_KEY)]
const retired = ['a', 'b'].map((purpose) => signingKeyOf(OLD_KEY, purpose))
const signature = old.sign('a', 'text')

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(async () => {
  await database.db.deleteFrom('former_token_keys').execute()
})
afterAll(() => database[Symbol.asyncDispose]())

const replace = (from: typeof old, to: typeof old, keys = retired) =>
  database.db.transaction().execute((tx) => keepFormerKeys(tx, { from, to, retired: keys }))

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks where not granted and relation = 'former_token_keys'::regclass`.execute(database.db)
  return rows.length > 0
}

it('former keys open in the row and for the purpose that they were kept for only', async () => {
  await replace(old, next)
  const [one, two] = await findFormerKeys(database.db)
  if (!one || !two) throw new Error('two were kept')
  expect(openFormerKey(next, one)).toEqual(retired[0])
  expect(() => openFormerKey(old, one)).toThrow()
  expect(() => openFormerKey(next, { ...one, purpose: 'b' })).toThrow()
  expect(() => openFormerKey(next, { ...one, id: two.id })).toThrow()
})

it('of two who replace the same key at once one does, and the other changes nothing', async () => {
  const { db } = database
  let second = Promise.resolve('')
  let isDone = false
  await db.transaction().execute(async (tx) => {
    // Whoever holds a lock and does nothing for long is cut off, which is not what is looked at here.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    await keepFormerKeys(tx, { from: old, to: next, retired })
    second = replace(old, other)
      .then(
        () => 'replaced',
        () => 'refused',
      )
      .finally(() => (isDone = true))
    await until('the second waits for the first', async () => isDone || (await isSomebodyWaiting()))
  })
  expect(await second).toBe('refused')
  expect((await findFormerKeys(db)).map((one) => openFormerKey(next, one))).toEqual(retired)
})

it('a former key that does not open is told in the log and keeps nobody from starting', async () => {
  await replace(old, next)
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  expect((await loadSecrets(database.db, NEW_KEY, log)).isSigned('a', 'text', signature)).toBe(true)
  expect(lines).toEqual([])
  const lost = await loadSecrets(database.db, OTHER_KEY, log)
  expect(lost.isSigned('a', 'text', signature)).toBe(false)
  expect(lost.isSigned('a', 'text', lost.sign('a', 'text'))).toBe(true)
  expect(lines.filter((line) => line.includes('a former key does not open'))).toHaveLength(2)
})
