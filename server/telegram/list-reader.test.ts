import { expect, it } from 'vitest'
import { recipients } from '../test/campaigns.ts'
import { readList } from './list-reader.ts'

const aFile = (text: string) => ({ name: 'people.csv', type: '', bytes: new Uint8Array(Buffer.from(text)) })

it('reads a long list beside everything else, and says when it is longer than it may be', async () => {
  const people = recipients(20_000, 'long')
  const rows = people.map((address) => `"Some, body",${address},${'x'.repeat(50)}`)
  let turns = 0
  const clock = setInterval(() => {
    turns += 1
  }, 5)
  const list = await readList(aFile(`Name,E-mail,Words\n${rows.join('\n')}\nNobody,,`), 20_000)
  clearInterval(clock)
  expect(list).toEqual({ entries: people, isMore: false, emptyRows: 1 })
  expect(turns).toBeGreaterThan(5)
  expect(await readList(aFile(rows.join('\n')), 19_999)).toMatchObject({ isMore: true })
})

it.each([
  ['memory', { timeMs: 30_000, memoryMb: 16 }],
  ['time', { timeMs: 1, memoryMb: 400 }],
])('gives up a file that is built to take more than its share of %s', async (_, limits) => {
  expect(await readList(aFile('a,'.repeat(1_500_000)), 10, limits)).toBeNull()
})
