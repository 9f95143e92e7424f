import { createHmac, hkdfSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createSecrets,
  keyFromFile,
  nextKeyFile,
  refuseHalfReplacedKey,
  type SigningKey,
  signingKeyOf,
} from './secrets.ts'

const MASTER_KEY = 'a master key of at least thirty-two characters'
const secrets = createSecrets(MASTER_KEY)

describe('a sealed value', () => {
  it('opens at its place only', () => {
    const sealed = secrets.seal('user 1 smtpPassword', 'hunter2 ✉️')
    expect(secrets.open('user 1 smtpPassword', sealed)).toBe('hunter2 ✉️')
    expect(() => secrets.open('user 2 smtpPassword', sealed)).toThrow()
    expect(() => secrets.open('user 1 apiKey', sealed)).toThrow()
  })

  it('does not open with another key, nor when a single bit was changed', () => {
    const sealed = secrets.seal('place', 'hunter2')
    expect(() => createSecrets('another master key of at least thirty-two').open('place', sealed)).toThrow()
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => secrets.open('place', `v1.${changed.toString('base64url')}`)).toThrow()
    }
    for (const text of ['', 'v1.', 'v2.abc', 'hunter2', 'v1.AAAA'])
      expect(() => secrets.open('place', text)).toThrow()
  })

  it('is another one every time', () => {
    expect(secrets.seal('place', 'hunter2')).not.toBe(secrets.seal('place', 'hunter2'))
  })
})

describe('a signature', () => {
  it('is bound to its purpose', () => {
    expect(secrets.sign('a', 'text').equals(secrets.sign('a', 'text'))).toBe(true)
    expect(secrets.sign('a', 'text').equals(secrets.sign('b', 'text'))).toBe(false)
  })

  it('is the HMAC-SHA256 of the text, however long', () => {
    const key = hkdfSync('sha256', MASTER_KEY, 'postrider', 'sign a', 32)
    for (const text of ['', 'x', 'ü', 'y'.repeat(63), 'y'.repeat(64), 'y'.repeat(65), 'z'.repeat(10_000)])
      expect(secrets.sign('a', text)).toEqual(createHmac('sha256', Buffer.from(key)).update(text).digest())
  })
})

describe('a signature that is shown to us', () => {
  const FORMER_KEY = 'the master key of at least thirty-two before'
  const signed = createSecrets(FORMER_KEY).sign('a', 'text')
  const knowing = (...former: SigningKey[]) => createSecrets(MASTER_KEY, former)

  it('is known by the key of today, whole or cut to 16 bytes and not below', () => {
    const own = secrets.sign('a', 'text')
    for (const length of [16, 31, 32])
      expect(secrets.isSigned('a', 'text', own.subarray(0, length))).toBe(true)
    for (const length of [0, 1, 15])
      expect(secrets.isSigned('a', 'text', own.subarray(0, length))).toBe(false)
    for (const wrong of [Buffer.alloc(32), Buffer.concat([own, own])])
      expect(secrets.isSigned('a', 'text', wrong)).toBe(false)
    expect(secrets.isSigned('a', 'texts', own)).toBe(false)
    expect(secrets.isSigned('b', 'text', own)).toBe(false)
  })

  it('is known by a former key, for the purpose that this was kept for only', () => {
    expect(secrets.isSigned('a', 'text', signed)).toBe(false)
    expect(knowing(signingKeyOf(FORMER_KEY, 'a')).isSigned('a', 'text', signed)).toBe(true)
    expect(knowing(signingKeyOf(FORMER_KEY, 'b')).isSigned('a', 'text', signed)).toBe(false)
    expect(knowing({ ...signingKeyOf(FORMER_KEY, 'a'), purpose: 'b' }).isSigned('a', 'text', signed)).toBe(
      false,
    )
  })

  it('is made by the key of today alone', () => {
    expect(knowing(signingKeyOf(FORMER_KEY, 'a')).sign('a', 'text')).toEqual(secrets.sign('a', 'text'))
  })
})

describe('the key file', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'postrider-key-'))
  })
  afterAll(() => rm(dir, { recursive: true }))

  it('is made once, for its owner only, also when many start at once', async () => {
    const place = join(dir, 'new')
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyFromFile(place)))
    expect(new Set(keys).size).toBe(1)
    expect(await keyFromFile(place)).toBe(keys[0])
    expect((await stat(join(place, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(place, 'secret.key'), 'utf8')).trim()).toBe(keys[0])
  })

  it('that is damaged is not replaced: what it sealed would be lost', async () => {
    await writeFile(join(dir, 'secret.key'), 'abc')
    await expect(keyFromFile(dir)).rejects.toThrow(
      /secret\.key is damaged; put that one file back from where you keep it, and nothing else of DATA_DIR$/,
    )
  })
})

describe('a key that shall replace the key file', () => {
  it('waits beside it, survives a replacement that was cut short, and keeps a start from guessing', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'postrider-next-key-'))
    const old = await keyFromFile(dir)
    await refuseHalfReplacedKey(dir)
    const { key, isLeftOver } = await nextKeyFile(dir)
    expect(isLeftOver).toBe(false)
    await expect(refuseHalfReplacedKey(dir)).rejects.toThrow(/npm run rotate-key/)
    const again = await nextKeyFile(dir)
    expect(again).toMatchObject({ key, isLeftOver: true })
    expect(await keyFromFile(dir)).toBe(old)
    await again.takeItsPlace()
    await refuseHalfReplacedKey(dir)
    expect(await keyFromFile(dir)).toBe(key)
    await rm(dir, { recursive: true })
  })

  it.each(['', 'half-of-a-key'])(
    'but was cut short as it was written (%j) was never used: it stops no start, and another takes its place',
    async (stub) => {
      const dir = await mkdtemp(join(tmpdir(), 'postrider-next-key-'))
      const file = join(dir, 'secret.key.next')
      await writeFile(file, stub)
      await refuseHalfReplacedKey(dir)
      const { key, isLeftOver } = await nextKeyFile(dir)
      expect({ isLeftOver, length: key.length }).toEqual({ isLeftOver: false, length: 43 })
      expect(await readFile(file, 'utf8')).toBe(`${key}\n`)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readdir(dir), 'no draft of it').toEqual(['secret.key.next'])
      await rm(dir, { recursive: true })
    },
  )
})
