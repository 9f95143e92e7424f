import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownSettings, simulatedFor } from './dev-settings.mjs'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dev-settings-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const SIMULATED = {
  SES_BASE_URL: 'http://127.0.0.1:1',
  TELEGRAM_API_ROOT: 'http://127.0.0.1:2',
  TELEGRAM_BOT_TOKEN: 'simulated',
}

describe('npm run dev', () => {
  it('minds the file .env as the server does, and the environment before it', () => {
    expect(ownSettings(root, { PORT: '4000' })).toEqual({ PORT: '4000' })
    writeFileSync(join(root, '.env'), 'PORT=5000\nPUBLIC_URL="http://x.localhost:5000"\n')
    expect(ownSettings(root, { PORT: '4000' })).toEqual({
      PORT: '4000',
      PUBLIC_URL: 'http://x.localhost:5000',
    })
  })

  it('simulates the services for which nobody has named another, and leaves a bot of one’s own alone', () => {
    expect(simulatedFor({ SES_BASE_URL: '' }, SIMULATED)).toEqual(SIMULATED)
    expect(Object.keys(simulatedFor({ SES_BASE_URL: 'https://x.test' }, SIMULATED))).toEqual([
      'TELEGRAM_API_ROOT',
      'TELEGRAM_BOT_TOKEN',
    ])
    expect(Object.keys(simulatedFor({ TELEGRAM_BOT_TOKEN: 'own' }, SIMULATED))).toEqual(['SES_BASE_URL'])
  })
})
