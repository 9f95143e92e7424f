import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dkimRecord, keepDkimKey, readDkimKey } from './dkim-key.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-dkim-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the key for signatures', () => {
  it('is made once, for the owner’s eyes only, however many make it at the same time', async () => {
    const file = join(folder, 'data', 'dkim.pem')
    const keys = await Promise.all([1, 2, 3].map(() => keepDkimKey(file)))
    const [first] = keys
    if (!first) throw new Error('no key')
    for (const key of [...keys, await readDkimKey(file)]) expect(key.equals(first)).toBe(true)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(first.asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect(dkimRecord('s1', 'example.test', first)).toEqual({
      name: 's1._domainkey.example.test',
      value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/),
    })
  })

  it('is asked for in one sentence when it is missing, damaged or of another kind', async () => {
    await expect(readDkimKey(join(folder, 'none.pem'))).rejects.toThrow(
      /^DKIM_SELECTOR is set, but there is no key in .*; make it with: npm run admin -- dkim$/,
    )
    const file = join(folder, 'wrong.pem')
    const { privateKey } = generateKeyPairSync('ed25519')
    for (const text of ['', 'nonsense', privateKey.export({ type: 'pkcs8', format: 'pem' })]) {
      await writeFile(file, text)
      await expect(readDkimKey(file)).rejects.toThrow(/must be an RSA private key/)
      await expect(keepDkimKey(file)).rejects.toThrow(/must be an RSA private key/)
    }
  })
})
