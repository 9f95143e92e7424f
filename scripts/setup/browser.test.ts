import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBrowser } from './browser.mjs'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'browsers-'))
})
afterEach(() => rmSync(place, { recursive: true }))

function install(name: string, mode = 0o755): string {
  const file = join(place, name)
  writeFileSync(file, '')
  chmodSync(file, mode)
  return file
}

describe('the browser that the tests drive', () => {
  it.each(['chromium-browser', 'google-chrome', 'google-chrome-stable'])('may be %s', (name) => {
    const file = install(name)
    expect(findBrowser({ PATH: ['', '/nowhere', place].join(delimiter) })).toBe(file)
  })

  it('is the one without windows where there are several', () => {
    install('chromium')
    const file = install('chromium-headless-shell')
    expect(findBrowser({ PATH: place })).toBe(file)
  })

  it('is a program, not something of that name', () => {
    install('chromium', 0o644)
    mkdirSync(join(place, 'chromium-headless-shell'))
    const file = install('google-chrome')
    expect(findBrowser({ PATH: place })).toBe(file)
  })

  it('is the one that CHROMIUM_PATH names, whatever else there is', () => {
    install('chromium')
    expect(findBrowser({ PATH: place, CHROMIUM_PATH: '/elsewhere/chrome' })).toBe('/elsewhere/chrome')
  })
})
