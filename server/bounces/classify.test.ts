import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'
import { HARD, SOFT } from './samples/answers.ts'

const verdict = (status: string | null, diagnostic: string, action: 'failed' | 'delayed' = 'failed') =>
  classify({ action, status, diagnostic, nearby: '', around: () => null })

describe('judging the answer of a server', () => {
  it.each(HARD)('is hard: %s %s', (status, diagnostic) => {
    expect(verdict(status, diagnostic)).toMatchObject({ kind: 'hard' })
  })

  it.each(SOFT)('is soft: %s %s', (status, diagnostic) => {
    expect(verdict(status, diagnostic)).toMatchObject({ kind: 'soft' })
  })

  it('is never hard while the server goes on trying, or said to try again', () => {
    for (const [status, diagnostic] of HARD) expect(verdict(status, diagnostic, 'delayed').kind).toBe('soft')
    expect(verdict('4.1.1', '450 4.1.1 <ann@example.com>: user unknown')).toMatchObject({ kind: 'soft' })
  })

  it('believes the server that refused before the one that reports', () => {
    expect(verdict('5.0.0', '550 5.2.2 sorry')).toMatchObject({ status: '5.2.2', cause: 'full' })
    expect(verdict('5.1.1', '552 5.2.2 mailbox is full')).toMatchObject({ kind: 'soft', cause: 'full' })
  })

  it('knows a mailbox that is absent at QQ from too much mail in a short time', () => {
    const help = 'https://service.mail.qq.com/detail/122/166'
    const tooMuch = `550 Mailbox unavailable or access denied [AbC IP: 192.0.2.1]. ${help}`
    expect(verdict('5.0.0', tooMuch)).toMatchObject({ kind: 'soft', cause: 'policy' })
    expect(verdict('5.0.0', `550 Frequency limited [AbC IP: 192.0.2.1]. ${help}`)).toMatchObject({
      kind: 'soft',
      cause: 'policy',
    })
    expect(verdict('5.0.0', `550 Mailbox not found. ${help}`)).toMatchObject({ kind: 'hard' })
    expect(verdict('5.0.0', '550 Requested action not taken: mailbox unavailable')).toMatchObject({
      kind: 'hard',
    })
  })

  it('is not misled by names: an address or a host says nothing', () => {
    expect(verdict(null, '550 <user-unknown@spam.example.com>: mailbox is full')).toMatchObject({
      cause: 'full',
    })
    expect(verdict(null, 'host spam-filter.virus.example.com said: 550 no such user')).toMatchObject({
      cause: 'no-such-mailbox',
    })
  })

  it('finds no code in addresses of hosts, versions and dates', () => {
    for (const text of ['connect to 5.1.1.4 failed', 'Exchange 5.5.2653', 'on 4.12.2026', 'v5.1.1beta'])
      expect(verdict(null, text).status, text).toBeNull()
  })
})
