import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

// From the disk: vitest hands out style sheets as empty text.
const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/** WCAG 2.2: 4.5 for text, 3 for the shape of a control, a bar or a focus ring. */
const TEXT = 4.5
const SHAPE = 3

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function paletteOf(selector: string): Map<string, string> {
  const start = tokens.indexOf(`${selector} {`)
  const block = tokens.slice(start, tokens.indexOf('\n}', start))
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
  )
}

const grounds = ['paper', 'card', 'sunken', 'hover']
const meanings = ['delivered', 'bounced', 'failed', 'pending', 'opened', 'unconfirmed']

const pairs: [front: string, back: string, least: number][] = [
  ...grounds.flatMap((ground): [string, string, number][] =>
    ['ink', 'soft', 'muted', 'accent-text'].map((text) => [text, ground, TEXT]),
  ),
  ...meanings.flatMap((meaning): [string, string, number][] => [
    [`${meaning}-text`, `${meaning}-soft`, TEXT],
    [`${meaning}-text`, 'card', TEXT],
    [`${meaning}-text`, 'paper', TEXT],
    ['soft', `${meaning}-soft`, TEXT],
    [meaning, 'card', SHAPE],
  ]),
  ['muted', 'failed-soft', TEXT],
  ['paper', 'ink', TEXT],
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-strong', TEXT],
  ['on-danger', 'danger', TEXT],
  ['on-danger', 'danger-strong', TEXT],
  ['on-night', 'night', TEXT],
  ['on-night-muted', 'night', TEXT],
  ['accent', 'paper', SHAPE],
  ['accent', 'card', SHAPE],
  ['accent', 'sunken', SHAPE],
  ['accent', 'night', SHAPE],
  ['control', 'card', SHAPE],
]

describe.each([':root', '.dark'])('the colours of %s', (selector) => {
  const palette = paletteOf(selector)

  it.each(pairs)('show %s on %s with a contrast of at least %d', (front, back, least) => {
    expect(contrast(palette.get(front) ?? '', palette.get(back) ?? '')).toBeGreaterThanOrEqual(least)
  })
})
