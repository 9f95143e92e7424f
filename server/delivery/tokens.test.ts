import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSecrets, signingKeyOf } from '../platform/secrets.ts'
import { createDeliveryTokens, TOKEN_PURPOSES } from './tokens.ts'

const KEY = 'a key of this test, long enough for anyone'
const OTHER_KEY = 'another key of this test, just as long'
const tokens = createDeliveryTokens(createSecrets(KEY))
const others = createDeliveryTokens(createSecrets(OTHER_KEY))
/** As after two replacements. */
const later = createDeliveryTokens(
  createSecrets(
    'the key after both of them, long enough',
    [OTHER_KEY, KEY].flatMap((key) => TOKEN_PURPOSES.map((purpose) => signingKeyOf(key, purpose))),
  ),
)
const delivery = { campaignId: randomUUID(), seq: 1_000_000 }

const KINDS = [
  { kind: 'in a link', make: 'linkToken', read: 'readLinkToken', length: 48 },
  { kind: 'in a return path', make: 'returnToken', read: 'readReturnToken', length: 58 },
] as const

describe.each(KINDS)('the token of a delivery $kind', ({ make, read, length }) => {
  const token = tokens[make](delivery)

  it('is read back, and is the same on every try', () => {
    expect(token).toHaveLength(length)
    expect(tokens[make](delivery)).toBe(token)
    expect(tokens[read](token)).toEqual(delivery)
    for (const seq of [0, 1, 2 ** 31 - 1])
      expect(tokens[read](tokens[make]({ ...delivery, seq }))).toEqual({ ...delivery, seq })
  })

  it('is worth nothing when any character of it is another', () => {
    for (let at = 0; at < token.length; at++)
      for (const sign of ['a', 'b', '7', 'Q', '-', '%', '']) {
        const changed = token.slice(0, at) + sign + token.slice(at + 1)
        if (changed.toLowerCase() === token.toLowerCase()) continue
        // The last character of a return path carries two bits only: another spelling of the same bytes is the same.
        const found = tokens[read](changed)
        if (found) expect([at, found]).toEqual([length - 1, delivery])
      }
  })

  it('is worth nothing under another key', () => {
    expect(others[read](token)).toBeNull()
  })

  it('stays readable when its key was replaced, however often, and is never made by a former one', () => {
    expect(later[read](token)).toEqual(delivery)
    expect(later[read](others[make](delivery))).toEqual(delivery)
    expect(later[read](later[make](delivery))).toEqual(delivery)
    expect(tokens[read](later[make](delivery))).toBeNull()
    expect(others[read](later[make](delivery))).toBeNull()
  })
})

it('a token of a link is none of a return path, and the other way round', () => {
  for (const reader of [tokens, later]) {
    expect(reader.readReturnToken(tokens.linkToken(delivery))).toBeNull()
    expect(reader.readLinkToken(tokens.returnToken(delivery))).toBeNull()
  }
})

it('a return path survives a server that writes it in capitals', () => {
  expect(tokens.readReturnToken(tokens.returnToken(delivery).toUpperCase())).toEqual(delivery)
})
