import { expect, it } from 'vitest'
import { parseRecipient } from '../platform/mail-address.ts'
import { asTyped, toRecipientsJson } from './recipient-list.ts'

it.each([
  ['', 'bob@example.test', 'bob@example.test'],
  ['Bob', 'bob@example.test', 'Bob <bob@example.test>'],
  ['Miller, Bob', 'bob@example.test', '"Miller, Bob" <bob@example.test>'],
  ['Bob "B" Miller', 'bob@example.test', '"Bob \\"B\\" Miller" <bob@example.test>'],
  ['back\\slash', 'bob@example.test', '"back\\\\slash" <bob@example.test>'],
  ['a <b> [c] (d) : ; @', 'bob@example.test', '"a <b> [c] (d) : ; @" <bob@example.test>'],
  ['Bö\u00a0b \ud83d\ude00', 'böb@exämple.test', 'Bö\u00a0b \ud83d\ude00 <böb@exämple.test>'],
])('%s is written so that it is read as the same recipient', (name, address, typed) => {
  expect(asTyped({ name, address })).toBe(typed)
  expect(parseRecipient(typed)).toMatchObject({ name: name.replace('\u00a0', ' '), address })
})

it.each([[[]], [[[]]], [[['a']]], [[['a', 'b"'], ['c\n']]], [[[], ['a'], [], ['b']]]])(
  'the pages %j make one JSON text',
  async (pages: string[][]) => {
    async function* all() {
      yield* pages
    }
    let text = ''
    for await (const piece of toRecipientsJson(all())) text += piece
    expect(JSON.parse(text)).toEqual({ recipients: pages.flat() })
  },
)
