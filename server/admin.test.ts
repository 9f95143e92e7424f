import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { admin } from './test/admin.ts'

/** What an operator runs; the other tests start it put together into one file. */
const AS_IT_IS = join(import.meta.dirname, 'admin.ts')
const SAMPLES = join(import.meta.dirname, 'bounces/samples')

describe('npm run admin', () => {
  it('read-bounce prints one JSON line a file, its keys in the promised order', async () => {
    const bounce = `${SAMPLES}/zimbra.eml`
    const letter = `${SAMPLES}/no-ordinary.eml`
    const { code, out, err } = await admin({}, ['read-bounce', bounce, letter], AS_IT_IS)
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
    const { code, out, err } = await admin({}, [
      'read-bounce',
      'no-such-file',
      SAMPLES,
      `${SAMPLES}/qmail.eml`,
    ])
    expect(code).toBe(1)
    expect(out.trim().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^no-such-file cannot be read: .*\n.*\/bounces\/samples cannot be read: /)
  })

  it('dkim makes a key once, and prints what to publish and what to set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-admin-'))
    const env = { DATA_DIR: folder, MAIL_FROM: 'mail@example.test', SMTP_URL: 'smtp://relay.test' }
    const first = await admin(env, ['dkim'])
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toMatch(
      /name: {2}postrider\._domainkey\.example\.test\n {2}value: v=DKIM1; k=rsa; p=[\w+/]+\n/,
    )
    expect(first.out).toContain('set DKIM_SELECTOR=postrider and start Postrider again')
    expect((await admin(env, ['dkim'])).out).toBe(first.out)
    const chosen = await admin({ ...env, DKIM_SELECTOR: 'mine' }, ['dkim'])
    expect(chosen.out).toContain(first.out.match(/p=.*/)?.[0])
    expect(chosen.out).toContain('mine._domainkey.example.test')
    const wrong = await admin({ ...env, DKIM_KEY_FILE: `${folder}/dkim.pem/x` }, ['dkim'])
    expect(wrong).toMatchObject({ code: 1, err: expect.stringMatching(/^The DKIM key [^\n]+\n$/) })
    await rm(folder, { recursive: true })
  })

  it('names the commands that exist when it is asked for another, or for none', {
    tags: 'thorough',
  }, async () => {
    for (const args of [[], ['constructor'], ['read-bounces']]) {
      const { code, err } = await admin({}, args)
      expect(code).toBe(1)
      expect(err).toContain('read-bounce FILE…')
    }
    expect(await admin({}, ['read-bounce'])).toEqual({
      code: 1,
      out: '',
      err: 'read-bounce needs FILE… behind it: npm run admin -- read-bounce FILE…\n',
    })
    const { code, out } = await admin({}, ['--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/^ {2}create-user EMAIL\n {6}makes an account .*$/m)
  })
})
