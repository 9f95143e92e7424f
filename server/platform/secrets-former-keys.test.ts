import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
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
  const done = await Promise.allSettled([replace(old, next), replace(old, other)])
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const winner = done[0].status === 'fulfilled' ? next : other
  const kept = (await findFormerKeys(database.db)).map((one) => openFormerKey(winner, one))
  expect(kept).toEqual(retired)
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
