import { expect, it } from 'vitest'
import { shareReads } from './shared-reads.ts'

/** Readings that end when they are told to. */
function underControl() {
  const readings: { key: string; end: (value: string) => void; fail: () => void }[] = []
  const read = shareReads<string>(
    (key) =>
      new Promise((resolve, reject) => {
        readings.push({ key, end: resolve, fail: () => reject(new Error('away')) })
      }),
  )
  return { readings, read }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('who asks while a reading is under way gets one that begins later, all the same one', async () => {
  const { readings, read } = underControl()
  const first = read('ann')
  const later = [read('ann'), read('ann'), read('ann')]
  await turn()
  expect(readings).toHaveLength(1)
  readings[0]?.end('old')
  expect(await first).toBe('old')
  await turn()
  expect(readings).toHaveLength(2)
  readings[1]?.end('new')
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
})

it('who asks once it is over begins another', async () => {
  const { readings, read } = underControl()
  const first = read('ann')
  readings[0]?.end('1')
  await first
  const second = read('ann')
  expect(readings).toHaveLength(2)
  readings[1]?.end('2')
  expect(await second).toBe('2')
})

it('nobody gets what was read for another', async () => {
  const { readings, read } = underControl()
  const both = [read('ann'), read('eve')]
  expect(readings.map(({ key }) => key)).toEqual(['ann', 'eve'])
  for (const { key, end } of readings) end(`of ${key}`)
  expect(await Promise.all(both)).toEqual(['of ann', 'of eve'])
})

it('a reading that fails does not fail the next one', async () => {
  const { readings, read } = underControl()
  const first = read('ann')
  const second = read('ann')
  readings[0]?.fail()
  await expect(first).rejects.toThrow('away')
  await turn()
  readings[1]?.end('there again')
  expect(await second).toBe('there again')
})
