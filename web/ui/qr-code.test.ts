import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { drawModules } from './qr-code.tsx'

it('draws every dark module, and no other', () => {
  const { data, size } = encode('https://t.me/postrider_bot?start=K7QX2M9PRT', { ecc: 'M', border: 4 })
  const drawn = data.map((row) => row.map(() => false))
  for (const [, x, y, length] of drawModules(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(length))
  expect(drawn).toEqual(data)
  expect(data.flat().filter(Boolean).length).toBeGreaterThan(200)
  expect(data.slice(0, 4).flat()).toEqual(Array(size * 4).fill(false))
})

it('draws runs that reach the edge', () => {
  expect(
    drawModules([
      [true, true],
      [false, true],
    ]),
  ).toBe('M0 0h2v1h-2zM1 1h1v1h-1z')
})
