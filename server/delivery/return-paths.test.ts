import { describe, expect, it } from 'vitest'
import { createSecrets } from '../platform/secrets.ts'
import { createReturnPaths } from './return-paths.ts'
import { createDeliveryTokens } from './tokens.ts'

const tokens = createDeliveryTokens(createSecrets('a key for tests that is long enough to be accepted'))
const MAIL_FROM = 'mail@example.test'
const DELIVERY = { campaignId: '01890a5d-ac96-774b-bcce-b302099a8057', seq: 7 }
const from = (address: string) => ({ from: { name: '', address } })
const paths = createReturnPaths({ tokens, domain: 'in.example.test', mailFrom: MAIL_FROM })

describe('a return path', () => {
  it('is an address that every server takes, and leads back to its delivery in any case', () => {
    const path = paths.of(from(MAIL_FROM), DELIVERY) ?? ''
    expect(path).toMatch(/^b-[a-z2-7]{58}@in\.example\.test$/)
    expect(path.indexOf('@')).toBeLessThanOrEqual(64)
    expect(paths.read(path)).toEqual(DELIVERY)
    expect(paths.read(path.toUpperCase())).toEqual(DELIVERY)
  })

  it('is made neither for mail from another address nor where nothing is received', () => {
    expect(paths.of(from('ann@corp.test'), DELIVERY)).toBeUndefined()
    const deaf = createReturnPaths({ tokens, domain: null, mailFrom: MAIL_FROM })
    expect(deaf.of(from(MAIL_FROM), DELIVERY)).toBeUndefined()
    expect(deaf.read(paths.of(from(MAIL_FROM), DELIVERY) ?? '')).toBeNull()
  })

  it('of another domain, of another making or of another purpose leads nowhere', () => {
    const path = paths.of(from(MAIL_FROM), DELIVERY) ?? ''
    for (const address of [
      path.replace('in.example.test', 'example.test'),
      path.replace('@', '@x.'),
      path.slice(2),
      `x${path}`,
      `${path} `,
      `b-${tokens.linkToken(DELIVERY)}@in.example.test`,
      'b-@in.example.test',
      '@in.example.test',
      '',
    ])
      expect(paths.read(address), address).toBeNull()
  })
})
