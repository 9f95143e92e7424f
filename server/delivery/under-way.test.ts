import { expect, it } from 'vitest'
import { noTraffic } from './capacity.ts'
import { createUnderWay } from './under-way.ts'

function aRoad({ lateMs }: { lateMs?: number } = { lateMs: 10 }) {
  const traffic = noTraffic()
  const alarms: number[] = []
  let time = 0
  let isProbing = false
  const underWay = createUnderWay({
    provider: lateMs === undefined ? {} : { lateMs },
    health: { isProbing: () => isProbing },
    traffic,
    later: (milliseconds) => alarms.push(milliseconds),
    now: () => time,
  })
  return {
    ...underWay,
    traffic,
    alarms,
    pass(milliseconds: number) {
      time += milliseconds
      underWay.noteLate()
    },
    probe() {
      isProbing = true
      underWay.noteLate()
    },
    close() {
      isProbing = false
      underWay.noteLate()
    },
  }
}
const load = (calls: number, copies = calls) => ({ calls, copies })

it('a call is late after its time, and is counted as such until its end', () => {
  const road = aRoad()
  const end = road.begin(3)
  road.pass(4)
  const endSecond = road.begin(2)
  expect(road.traffic).toMatchObject({ underWay: load(2, 5), late: load(0) })
  expect(road.alarms).toEqual([7])
  road.pass(6)
  expect(road.traffic).toMatchObject({ underWay: load(1, 2), late: load(1, 3) })
  // Somebody looks again when the next would be late.
  expect(road.alarms).toEqual([7, 5])
  end()
  endSecond()
  expect(road.traffic).toMatchObject({ underWay: load(0), late: load(0) })
})

it('what was called before an outage keeps no place from the probe after it, and the probe keeps its own', () => {
  const road = aRoad()
  road.begin(1)
  road.pass(6)
  road.probe()
  expect(road.traffic.underWay).toEqual(load(1))
  road.pass(4)
  expect(road.traffic).toMatchObject({ underWay: load(0), late: load(1) })
  const end = road.begin(1)
  road.pass(60)
  expect(road.traffic).toMatchObject({ underWay: load(1), late: load(1) })
  end()
  road.close()
  // The next outage has a probe of its own.
  road.begin(1)
  road.pass(1)
  road.probe()
  road.pass(20)
  expect(road.traffic).toMatchObject({ underWay: load(0), late: load(2) })
})

it('no call of a provider that answers all of them soon is ever late', () => {
  const road = aRoad({})
  road.begin(1)
  road.pass(600_000)
  expect(road.traffic).toMatchObject({ underWay: load(1), late: load(0) })
  expect(road.alarms).toEqual([])
})
