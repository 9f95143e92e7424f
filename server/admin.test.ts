import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const SAMPLES = 'server/bounces/samples'

type Answer = { code: number; out: string; err: string }

const admin = (...args: string[]): Promise<Answer> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['server/admin.ts', ...args], { cwd: ROOT }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

describe('npm run admin', () => {
  it('read-bounce prints one JSON line a file, its keys in the promised order', async () => {
    const bounce = `${SAMPLES}/zimbra.eml`
    const letter = `${SAMPLES}/no-ordinary.eml`
    const { code, out, err } = await admin('read-bounce', bounce, letter)
    const reason = 'The mailbox is full: 552 5.2.2 Over quota'
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.split('\n')).toEqual([
      JSON.stringify({
        file: bounce,
        kind: 'soft',
        recipient: 'ann.lee@example.com',
        status: '5.2.2',
        reason,
      }),
      JSON.stringify({ file: letter, kind: 'none', recipient: null, status: null, reason: null }),
      '',
    ])
  })

  it('reads the other files when one cannot be read, says so, and fails', async () => {
    const { code, out, err } = await admin('read-bounce', 'no-such-file', SAMPLES, `${SAMPLES}/qmail.eml`)
    expect(code).toBe(1)
    expect(out.trim().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^no-such-file cannot be read: .*\nserver\/bounces\/samples cannot be read: /)
  })

  it('names the commands that exist when it is asked for another, or for none', async () => {
    for (const args of [[], ['constructor'], ['read-bounces']]) {
      const { code, err } = await admin(...args)
      expect(code).toBe(1)
      expect(err).toContain('read-bounce FILE…')
    }
    expect((await admin('read-bounce')).code).toBe(1)
  })
})
