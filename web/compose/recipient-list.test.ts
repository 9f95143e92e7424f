import { describe, expect, it } from 'vitest'
import { RECIPIENTS_MAX } from '../../contract/campaigns.ts'
import { RecipientList } from './recipient-list.ts'

const people = (count: number): string[] => Array.from({ length: count }, (_, n) => `r${n}@x.test`)

describe('the list of recipients', () => {
  it('trims, leaves out what is empty, and counts what was there already', () => {
    const list = new RecipientList()
    expect(list.add([' ann@x.test ', '', 'ANN@x.test', 'Ann <ann@x.test>'])).toEqual({
      added: 1,
      duplicates: 2,
      leftOut: 0,
    })
    expect(list.texts()).toEqual(['ann@x.test'])
    expect(list.view()).toMatchObject({ duplicates: 2, badCount: 0 })
  })

  it('keeps what looks wrong, and counts it', () => {
    const list = new RecipientList()
    list.add(['ann@', 'bob@x.test'])
    expect(list.view()).toMatchObject({ badCount: 1 })
    const [bad] = list.view().all
    list.remove(new Set(bad ? [bad] : []))
    expect(list.view()).toMatchObject({ badCount: 0 })
    expect(list.texts()).toEqual(['bob@x.test'])
  })

  it('marks what the server refused, also where it looked right', () => {
    const list = new RecipientList()
    list.add(['ann@x.test', 'bob@x.test'])
    expect(list.refuse('400: "eve@x.test" cannot get mail')).toBe(false)
    expect(list.view()).toMatchObject({ badCount: 0 })
    expect(list.refuse('400: "bob@x.test" cannot get mail')).toBe(true)
    expect(list.view().all.map(({ looksRight }) => looksRight)).toEqual([true, false])
    expect(list.view()).toMatchObject({ badCount: 1 })
  })

  it('takes a removed one back', () => {
    const list = new RecipientList()
    list.add(['ann@x.test'])
    list.remove(new Set(list.view().all))
    expect(list.add(['ann@x.test']).added).toBe(1)
  })

  it('is being read until the whole list is there, and shows none of it before', async () => {
    const list = new RecipientList()
    const seen: number[] = []
    list.subscribe(() => void seen.push(list.view().all.length))
    const reading = list.read(people(50_000))
    expect(list.view()).toMatchObject({ isReading: true, all: [] })
    await reading
    expect(list.view().isReading).toBe(false)
    expect(new Set(seen)).toEqual(new Set([0, 50_000]))
  })

  it(`holds ${RECIPIENTS_MAX} and says how many found no room`, async () => {
    const list = new RecipientList()
    const result = await list.read(people(RECIPIENTS_MAX + 5))
    expect(result).toEqual({ added: RECIPIENTS_MAX, duplicates: 0, leftOut: 5 })
    expect(list.view().leftOut).toBe(5)
  })

  it('forgets a list that was still being read when it was cleared', async () => {
    const list = new RecipientList()
    const reading = list.read(people(50_000))
    list.clear()
    await reading
    expect(list.view()).toMatchObject({ all: [], isReading: false })
    expect(list.add(['r1@x.test']).added).toBe(1)
  })

  it('of several parts is being read from the first to the last of them', async () => {
    const list = new RecipientList()
    const seen: [boolean, number][] = []
    list.subscribe(() => void seen.push([list.view().isReading, list.view().all.length]))
    await list.whileReading(async () => {
      await list.read(['ann@x.test'])
      await list.read(['bob@x.test'])
    })
    expect(seen).toEqual([
      [true, 0],
      [true, 1],
      [true, 2],
      [false, 2],
    ])
  })

  it('is no longer being read when the list did not come', async () => {
    const list = new RecipientList()
    await expect(list.read(Promise.reject(new Error('no answer')))).rejects.toThrow('no answer')
    expect(list.view().isReading).toBe(false)
  })
})
