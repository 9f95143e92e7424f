import { expect, it } from 'vitest'
import { LEASE_MS } from './store/leases.ts'
import { createTakeover } from './takeover.ts'

/** A worker on a clock of the test, which has been at work for long. */
function aWorker() {
  let now = 0
  let wall = Date.UTC(2026, 0, 1)
  const takeover = createTakeover(
    () => now,
    () => wall,
  )
  const pass = (milliseconds: number) => {
    now += milliseconds
    wall += milliseconds
  }
  const work = (milliseconds: number) => {
    for (const end = now + milliseconds; now < end; pass(1_000)) takeover.noteTurn()
  }
  return {
    takeover,
    work,
    standStill: pass,
    /** Of the two clocks only this one goes on while the machine is suspended, and is put right. */
    jump: (milliseconds: number) => {
      wall += milliseconds
    },
  }
}

it('after a start those who are alive get a moment to renew their leases', () => {
  const { takeover, work } = aWorker()
  expect(takeover.mayBegin()).toBe(false)
  work(1_000)
  expect(takeover.mayBegin()).toBe(true)
})

it('after the database was away they get the time of a lease', () => {
  const { takeover, work } = aWorker()
  work(60_000)
  takeover.noteOutage()
  work(LEASE_MS - 1_000)
  expect(takeover.mayBegin()).toBe(false)
  work(1_000)
  expect(takeover.mayBegin()).toBe(true)
})

it('after a standstill of this process too, for the others may have stood still with it', () => {
  const { takeover, work, standStill } = aWorker()
  work(60_000)
  standStill(LEASE_MS + 1_000)
  // Whichever comes first: a look for work, or the turn that was missed.
  expect(takeover.mayBegin()).toBe(false)
  work(LEASE_MS - 1_000)
  expect(takeover.mayBegin()).toBe(false)
  work(1_000)
  expect(takeover.mayBegin()).toBe(true)
})

it('after a suspend, or when the clock was put forward: the leases of those who live have run out by it', () => {
  const { takeover, work, jump } = aWorker()
  work(60_000)
  jump(LEASE_MS)
  expect(takeover.mayBegin()).toBe(false)
  work(LEASE_MS - 1_000)
  expect(takeover.mayBegin()).toBe(false)
  work(1_000)
  expect(takeover.mayBegin()).toBe(true)
})

it('a clock that is put right a little, or back, changes nothing', () => {
  const { takeover, work, jump } = aWorker()
  work(60_000)
  for (const milliseconds of [LEASE_MS / 4, -3_600_000]) {
    jump(milliseconds)
    expect(takeover.mayBegin()).toBe(true)
    work(1_000)
  }
})

it('a turn that comes a little late changes nothing', () => {
  const { takeover, work, standStill } = aWorker()
  work(60_000)
  standStill(LEASE_MS / 4)
  expect(takeover.mayBegin()).toBe(true)
})
