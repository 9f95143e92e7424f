import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { deliveryTag, idempotencyKeyOf, messageIdOf, readDeliveryTag } from './identity.ts'

const CAMPAIGN = '0b8e9a4e-57a4-4b63-9a3e-5b5f1d1f7c11'

it('finds campaign and recipient again in a tag', () => {
  for (const seq of [1, 42, 999_999_999]) {
    const campaignId = randomUUID()
    expect(readDeliveryTag(deliveryTag(campaignId, seq))).toEqual({ campaignId, seq })
  }
})

it('reads nothing but whole tags of its own', () => {
  const tag = deliveryTag(CAMPAIGN, 7)
  const others = ['', 'x', `${tag}x`, `x${tag}`, `${tag}\n`, tag.toUpperCase(), CAMPAIGN, `${CAMPAIGN}-7`]
  const broken = [tag.replace('-', ''), tag.replace('7', ''), `${tag}0000000000`, tag.replace('-7', '--7')]
  for (const text of [...others, ...broken]) expect(readDeliveryTag(text), text).toBeNull()
})

it('names a delivery the same every time, and every delivery differently', () => {
  expect(messageIdOf(CAMPAIGN, 7, 'x.test')).toBe('<0b8e9a4e57a44b639a3e5b5f1d1f7c11-7@x.test>')
  expect(idempotencyKeyOf(CAMPAIGN, 7)).toBe('delivery/0b8e9a4e57a44b639a3e5b5f1d1f7c11-7')
  const names = [1, 2, 11, 12].map((seq) => messageIdOf(CAMPAIGN, seq, 'x.test'))
  expect(new Set(names).size).toBe(4)
})

it('fits where providers allow letters, digits and dashes only', () => {
  expect(deliveryTag(CAMPAIGN, 1_000_000)).toMatch(/^[a-z0-9-]{1,60}$/)
})
