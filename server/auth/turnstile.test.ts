import { expect, it } from 'vitest'
import type { AppError } from '../platform/errors.ts'
import { createTurnstile } from './turnstile.ts'

const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

it('never lets more in than it is wide, and loses nobody', async () => {
  const inTurn = createTurnstile(2)
  let inside = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      inTurn(`client ${index % 7}`, async () => {
        inside += 1
        most = Math.max(most, inside)
        await pause()
        inside -= 1
        return index
      }),
    ),
  )
  expect(most).toBe(2)
  expect(results).toEqual(Array.from({ length: 100 }, (_, index) => index))
})

it('serves another client next, however many one has brought', async () => {
  const inTurn = createTurnstile(1)
  const order: string[] = []
  const enter = (client: string) =>
    inTurn(client, async () => {
      order.push(client)
      await pause()
    })
  const crowd = Array.from({ length: 50 }, () => enter('crowd'))
  await Promise.all([...crowd, enter('person')])
  expect(order.indexOf('person')).toBeLessThanOrEqual(2)
  expect(order).toHaveLength(51)
})

it('goes on after work that fails', async () => {
  const inTurn = createTurnstile(1)
  const failing = inTurn('a', () => Promise.reject(new Error('broken')))
  const next = inTurn('b', async () => 'fine')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('fine')
})

it('turns people away in a sentence when a thousand wait, and when the wait was too long', async () => {
  let time = 0
  const inTurn = createTurnstile(1, () => time)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const first = inTurn('a', () => finished)
  const waiting = Array.from({ length: 1000 }, (_, n) =>
    inTurn(`b${n}`, async () => 'served').catch((error: Error) => error.message),
  )
  await expect(inTurn('c', async () => 'served')).rejects.toThrow(/^Too many people are signing in/)
  time = 20_001
  finish()
  await first
  expect(new Set(await Promise.all(waiting))).toEqual(
    new Set(['Too many people are signing in at this moment. Please try again in a few seconds']),
  )
  expect(await inTurn('d', async () => 'served')).toBe('served')
})

it('tells whoever has waited behind others of their own how long to wait', async () => {
  let time = 0
  const inTurn = createTurnstile(1, () => time)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const first = inTurn('a', () => finished)
  const waiting = Array.from({ length: 3 }, () =>
    inTurn('crowd', async () => 'served').catch((error: AppError) => `${error.status} ${error.message}`),
  )
  time = 20_001
  finish()
  await first
  const [foremost, ...others] = await Promise.all(waiting)
  expect(foremost).toMatch(/^503 Too many people are signing in/)
  expect(new Set(others)).toEqual(new Set(['429 Too many attempts. Please wait 5 seconds and try again']))
})

it('has room for the next person when one client has filled it; who has brought the most goes without', async () => {
  const inTurn = createTurnstile(1)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const first = inTurn('a', () => finished)
  const enter = (client: string) =>
    inTurn(client, async () => 'served').catch((error: AppError) => `${error.status} ${error.message}`)
  const crowd = Array.from({ length: 1001 }, () => enter('crowd'))
  const people = ['person', 'person', 'another'].map(enter)
  finish()
  await first
  expect(await Promise.all(people)).toEqual(['served', 'served', 'served'])
  const answers = await Promise.all(crowd)
  const turnedAway = answers.filter((answer) => answer !== 'served')
  expect(new Set(turnedAway)).toEqual(new Set(['429 Too many attempts. Please wait 5 seconds and try again']))
  expect(turnedAway).toHaveLength(4)
  expect(answers.slice(0, 997), 'those who came first').not.toContain(turnedAway[0])
})
