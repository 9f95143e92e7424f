import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

describe('a password', () => {
  it('is kept as Argon2id with 46 MiB, each with a salt of its own', async () => {
    const { hash } = createPasswords()
    const [one, other] = await Promise.all([hash('a secret', 'ann'), hash('a secret', 'ann')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).not.toBe(one)
  })

  it('matches its own hash and no other, and nothing matches nobody’s', async () => {
    const { hash, matches } = createPasswords()
    const stored = await hash('a secret', 'ann')
    expect(await matches('a secret', stored, 'ann')).toBe(true)
    expect(await matches('another', stored, 'ann')).toBe(false)
    expect(await matches('a secret', null, 'ann')).toBe(false)
  })
})
