import { expect, it } from 'vitest'
import { ownTime } from '../test/own-time.ts'
import { aStoppedClock } from '../test/stopped-clock.ts'
import { createMemoryBudget } from './memory-budget.ts'

/** Tells at any time what has become of each. */
function watch(promises: Promise<void>[]): () => Promise<string[]> {
  const states = promises.map(() => 'waiting')
  promises.forEach((promise, index) => {
    void promise.then(() => (states[index] = 'in'))
  })
  return async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return [...states]
  }
}

it('lets in what fits, and keeps the rest waiting in turn', async () => {
  const budget = createMemoryBudget({ bytes: 100 })
  const [first, second, third, fourth] = [budget.share(), budget.share(), budget.share(), budget.share()]
  const states = watch([first.grow(60), second.grow(50), third.grow(10), fourth.grow(45)])
  // The third would fit, but whoever came before it would never get a turn that way.
  expect(await states()).toEqual(['in', 'waiting', 'waiting', 'waiting'])
  first[Symbol.dispose]()
  expect(await states()).toEqual(['in', 'in', 'in', 'waiting'])
  second[Symbol.dispose]()
  expect(await states()).toEqual(['in', 'in', 'in', 'in'])
})

it('lets those go on first who hold most: only they can make room', async () => {
  const budget = createMemoryBudget({ bytes: 100 })
  const [first, second, third, small] = [budget.share(), budget.share(), budget.share(), budget.share()]
  await first.grow(50)
  await small.grow(2)
  const states = watch([second.grow(50), third.grow(50), first.grow(10), first.grow(40)])
  expect(await states()).toEqual(['waiting', 'waiting', 'in', 'waiting'])
  small[Symbol.dispose]()
  expect(await states()).toEqual(['waiting', 'waiting', 'in', 'in'])
  first[Symbol.dispose]()
  expect(await states()).toEqual(['in', 'in', 'in', 'in'])
})

it('answers 503 to whoever waits too long, and lets those behind pass', async () => {
  const budget = createMemoryBudget({ bytes: 100, patienceMs: 30 })
  const [first, second, third] = [budget.share(), budget.share(), budget.share()]
  await first.grow(60)
  const late = second.grow(50)
  const small = third.grow(40)
  await expect(late).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  await small
})

it('gives back all of a share at once, and once only', async () => {
  const budget = createMemoryBudget({ bytes: 100, patienceMs: 20 })
  {
    using share = budget.share()
    await share.grow(50)
    await share.grow(50)
    share[Symbol.dispose]()
  }
  using other = budget.share()
  await other.grow(100)
  await expect(budget.share().grow(1)).rejects.toMatchObject({ status: 503 })
})

it('refuses at once what never fits', async () => {
  await expect(createMemoryBudget({ bytes: 100 }).share().grow(101)).rejects.toMatchObject({ status: 503 })
})

it('takes from an owner with several shares what others need, the one that grew least lately first', async () => {
  const budget = createMemoryBudget({ bytes: 100 })
  const lost: number[] = []
  for (const n of [0, 1, 2, 3]) {
    const share = budget.share('greedy')
    share.filling(() => lost.push(n))
    await share.grow(25)
  }
  await budget.share('modest').grow(30)
  expect(lost).toEqual([0, 1])
  // Who has as much already waits like all others.
  const states = watch([budget.share('modest').grow(30)])
  expect(await states()).toEqual(['waiting'])
})

it('lets one share of an owner be, however large, as long as it grows', async () => {
  using clock = aStoppedClock()
  const budget = createMemoryBudget({ bytes: 100, patienceMs: 700, stalledMs: 300 })
  const share = budget.share('large')
  let isLost = false
  share.filling(() => (isLost = true))
  await share.grow(40)
  const growing = setInterval(() => void share.grow(1), 20)
  const [refused] = await Promise.allSettled([budget.share('other').grow(70), clock.pass(700)])
  expect(refused).toMatchObject({ reason: { status: 503 } })
  clearInterval(growing)
  expect(isLost).toBe(false)
  await Promise.all([budget.share('other').grow(70), clock.pass(700)])
  expect(isLost).toBe(true)
  await expect(share.grow(1)).rejects.toMatchObject({ status: 503 })
})

it('takes nothing from anybody that is whole, nor where it would not be enough', async () => {
  const budget = createMemoryBudget({ bytes: 100, patienceMs: 50, stalledMs: 0 })
  const [whole, coming] = [budget.share('one'), budget.share('one')]
  let isLost = false
  whole.filling(() => (isLost = true))[Symbol.dispose]()
  await whole.grow(60)
  coming.filling(() => (isLost = true))
  await coming.grow(20)
  await expect(budget.share('two').grow(50)).rejects.toMatchObject({ status: 503 })
  expect(isLost).toBe(false)
})

it('gives no room to whoever has left while waiting for it', async () => {
  const budget = createMemoryBudget({ bytes: 100, patienceMs: 1_000 })
  const [first, second] = [budget.share(), budget.share()]
  await first.grow(60)
  const late = second.grow(60)
  second[Symbol.dispose]()
  await expect(late).rejects.toMatchObject({ status: 503 })
  first[Symbol.dispose]()
  await budget.share().grow(100)
})

it('gives nothing to a share that is over', async () => {
  const budget = createMemoryBudget({ bytes: 100 })
  const share = budget.share()
  share[Symbol.dispose]()
  await expect(share.grow(60)).rejects.toMatchObject({ status: 503 })
  await budget.share().grow(100)
})

it('finds room among thousands in a moment, although hundreds look for it', async () => {
  const budget = createMemoryBudget({ bytes: 4_000 })
  let lost = 0
  for (let n = 0; n < 4_000; n++) {
    const share = budget.share(`owner ${n % 40}`)
    share.filling(() => (lost += 1))
    await share.grow(1)
  }
  const passed = ownTime()
  await budget.share('modest').grow(50)
  expect(lost).toBe(50)
  for (let n = 0; n < 200; n++)
    budget
      .share('large')
      .grow(3_990)
      .catch(() => {})
  expect(passed()).toBeLessThan(2_000)
})
