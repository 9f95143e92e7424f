import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { AppError } from './errors.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'

let database: TestDatabase
let limiter: RateLimiter
beforeAll(async () => {
  database = await freshDatabase()
  limiter = createRateLimiter(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const LIMIT = { burst: 5, refillSeconds: 60 }
const isAllowed = (key: string) =>
  limiter.take(key, LIMIT).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.status === 429) return false
      throw error
    },
  )
const pass = (key: string, seconds: number) =>
  sql`update rate_buckets set refilled_at = refilled_at - make_interval(secs => ${seconds}) where key = ${key}`.execute(
    database.db,
  )

it('lets exactly the burst through when a hundred come at once', async () => {
  const results = await Promise.all(Array.from({ length: 100 }, () => isAllowed('storm')))
  expect(results.filter(Boolean)).toHaveLength(5)
})

it('gives one attempt back after the refill time, and being refused does not push it away', async () => {
  for (let attempt = 0; attempt < 5; attempt++) expect(await isAllowed('refill')).toBe(true)
  for (let attempt = 0; attempt < 50; attempt++) expect(await isAllowed('refill')).toBe(false)
  await pass('refill', 61)
  expect(await isAllowed('refill')).toBe(true)
  expect(await isAllowed('refill')).toBe(false)
})

it('never holds more than the burst', async () => {
  expect(await isAllowed('full')).toBe(true)
  await pass('full', 100_000)
  const results = await Promise.all(Array.from({ length: 10 }, () => isAllowed('full')))
  expect(results.filter(Boolean)).toHaveLength(5)
})

it('says how long to wait', async () => {
  for (let attempt = 0; attempt < 5; attempt++) await isAllowed('wait')
  const refusal = await limiter.take('wait', LIMIT).catch((error: AppError) => error)
  expect(refusal).toMatchObject({
    status: 429,
    message: 'Too many attempts. Please wait 1 minute and try again',
  })
})

it('forgives when told to', async () => {
  for (let attempt = 0; attempt < 6; attempt++) await isAllowed('forgiven')
  await limiter.reset(['forgiven'])
  expect(await isAllowed('forgiven')).toBe(true)
})

it('does not open when the clock of the database jumps back', async () => {
  for (let attempt = 0; attempt < 5; attempt++) await isAllowed('skew')
  await pass('skew', -7200)
  expect(await isAllowed('skew')).toBe(false)
})
