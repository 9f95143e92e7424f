import { expect, it } from 'vitest'
import { aCopy, aLetter } from '../test/simulators/a-mail.ts'
import { sendTheRest } from './sound-copies.ts'

it('what may leave goes without the others, and every answer stands in its place', async () => {
  const copies = ['a@x.test', 'none', 'c@x.test'].map((to) => aCopy({ to }))
  const asked: string[] = []
  const outcomes = await sendTheRest(aLetter(), copies, async (sound) => {
    asked.push(...sound.map(({ to }) => to.address))
    return sound.map(({ to }) => ({ kind: 'accepted', id: to.address }))
  })
  expect(asked).toEqual(['a@x.test', 'c@x.test'])
  expect(outcomes).toMatchObject([{ id: 'a@x.test' }, { kind: 'rejected' }, { id: 'c@x.test' }])
  expect(await sendTheRest(aLetter(), copies, async () => [])).toMatchObject([
    { kind: 'unknown' },
    { kind: 'rejected' },
    { kind: 'unknown' },
  ])
})
