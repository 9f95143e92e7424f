import { expect, it } from 'vitest'
import { aStoppedClock } from '../test/stopped-clock.ts'
import { AppError } from './errors.ts'
import { createTurnstile } from './turnstile.ts'

const PATIENCE_MS = 20_000
const aTurnstile = (width: number) =>
  createTurnstile({
    width,
    refusal: (isBehindOwn) =>
      isBehindOwn ? new AppError(429, 'too many of yours') : new AppError(503, 'busy'),
  })
const said = (error: AppError): string => `${error.status} ${error.message}`

const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

it('never lets more in than it is wide, and loses nobody', async () => {
  const inTurn = aTurnstile(2)
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
  const inTurn = aTurnstile(1)
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
  const inTurn = aTurnstile(1)
  const failing = inTurn('a', () => Promise.reject(new Error('broken')))
  const next = inTurn('b', async () => 'fine')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('fine')
})

it('turns people away when a thousand wait, and when the wait was too long, though nobody has left', async () => {
  using clock = aStoppedClock()
  const inTurn = aTurnstile(1)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const first = inTurn('a', () => finished)
  const waiting = Array.from({ length: 1000 }, (_, n) => inTurn(`b${n}`, async () => 'served').catch(said))
  await expect(inTurn('c', async () => 'served')).rejects.toThrow('busy')
  await clock.pass(PATIENCE_MS)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['503 busy']))
  finish()
  await first
  expect(await inTurn('d', async () => 'served')).toBe('served')
})

it('tells whoever has waited behind others of their own so', async () => {
  using clock = aStoppedClock()
  const inTurn = aTurnstile(1)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const first = inTurn('a', () => finished)
  const waiting = Array.from({ length: 3 }, () => inTurn('crowd', async () => 'served').catch(said))
  await clock.pass(PATIENCE_MS - 1)
  const late = inTurn('crowd', async () => 'served')
  await clock.pass(1)
  expect(await Promise.all(waiting)).toEqual(['503 busy', '429 too many of yours', '429 too many of yours'])
  finish()
  await first
  expect(await late).toBe('served')
})

it('has room for the next person when one client has filled it; who has brought the most goes without', async () => {
  const inTurn = aTurnstile(1)
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const first = inTurn('a', () => finished)
  const enter = (client: string) => inTurn(client, async () => 'served').catch(said)
  const crowd = Array.from({ length: 1001 }, () => enter('crowd'))
  const people = ['person', 'person', 'another'].map(enter)
  finish()
  await first
  expect(await Promise.all(people)).toEqual(['served', 'served', 'served'])
  const answers = await Promise.all(crowd)
  const turnedAway = answers.filter((answer) => answer !== 'served')
  expect(new Set(turnedAway)).toEqual(new Set(['429 too many of yours']))
  expect(turnedAway).toHaveLength(4)
  expect(answers.slice(0, 997), 'those who came first').not.toContain(turnedAway[0])
})
