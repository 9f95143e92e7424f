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

  it.each<[string, string, string]>([
    ['5.5.4', 'refused to talk to me: 501 5.5.4 Invalid domain name', 'policy'],
    ['5.0.0', 'said: 550 No such user here (in reply to MAIL FROM command)', 'policy'],
    ['5.1.1', 'said: 550 5.1.1 User unknown (in reply to MAIL FROM\n    command)', 'policy'],
    ['5.0.0', 'said: 550 Host unknown (in reply to EHLO command)', 'policy'],
    ['5.0.0', 'said: 504 Host not found (in reply to HELO command)', 'policy'],
    ['5.2.2', 'said: 552 5.2.2 Over quota (in reply to MAIL FROM command)', 'policy'],
    ['5.0.0', 'said: 554 5.0.0 no (in reply to MAIL FROM command)', 'policy'],
    ['5.0.0', 'refused to talk\n    to me: 554 No such host, listed at spamhaus', 'blocked'],
    ['5.3.4', 'said: 552 5.3.4 Message too large (in reply to MAIL FROM command)', 'too-large'],
    ['4.4.2', 'refused to talk to me: 421 4.4.2 try again later', 'temporary'],
    ['5.0.0', 'SMTP error from remote mail server after initial connection: 550 unknown host', 'policy'],
    ['5.0.0', 'SMTP error from remote mail server after EHLO a.test: 550 unknown domain', 'policy'],
    ['5.0.0', 'SMTP error from remote mail server after HELO a.test: 550 unknown domain', 'policy'],
    [
      '5.0.0',
      'SMTP error from remote mail server after MAIL FROM:<a@b.test> SIZE=9:\n 550 no such user',
      'policy',
    ],
    [
      '5.0.0',
      'SMTP error from remote mail server after pipelined MAIL FROM:<a@b.test>: 550 unknown user',
      'policy',
    ],
    [
      '5.0.0',
      'Connected to 192.0.2.1 but sender was rejected.\nRemote host said: 550 no such user',
      'policy',
    ],
  ])('is not held against a mailbox that the server had not heard of yet: %s %s', (status, said, cause) => {
    expect(verdict(status, `host mx.example.com[192.0.2.1] ${said}`)).toMatchObject({ kind: 'soft', cause })
    // Postfix writes the answer alone into the report, and when it came only into its text.
    const answer = said.replace(/^.*?(?=\d{3} )/s, '').replace(/ \(in reply to .*$/s, '')
    const facts = { action: 'failed', status, diagnostic: answer, around: () => null } as const
    expect(classify({ ...facts, nearby: `<ann@example.com>: host mx ${said}` })).toMatchObject({
      kind: 'soft',
      cause,
    })
  })

  it.each([
    [
      '5.0.0',
      'SMTP error from remote mail server after initial connection: 521 a.test Server does not accept mail',
    ],
    ['4.0.0', 'refused to talk to me: 521 a.test Host does not accept\n    mail'],
  ])(
    'is believed of a server that greets with the word that it takes no mail at all: %s %s',
    (status, said) => {
      expect(verdict(status, `host mx.example.com[192.0.2.1] ${said}`)).toMatchObject({
        kind: 'hard',
        cause: 'no-such-domain',
      })
    },
  )

  it('is of the sender where it is the sender’s domain that takes no mail', () => {
    const said = 'said: 550 Sender domain does not accept mail (in reply to MAIL FROM command)'
    expect(verdict('5.0.0', `host mx.example.com[192.0.2.1] ${said}`)).toMatchObject({ cause: 'policy' })
  })

  it.each([
    'host mx.example.com[192.0.2.1] said: 550 No such user here (in reply to RCPT TO command)',
    'host mx.example.com[192.0.2.1] said: 550 No such user here (in reply to end of DATA command)',
    'SMTP error from remote mail server after RCPT TO:<ann@example.com>: 550 no such user',
    'SMTP error from remote mail server after end of data: 550 no such user',
    'Connected to 192.0.2.1 but recipient was rejected. Remote host said: 550 no such user',
  ])('is held against a mailbox that the server had heard of: %s', (said) => {
    expect(verdict('5.0.0', said)).toMatchObject({ kind: 'hard', cause: 'no-such-mailbox' })
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

  it('takes no word of the whole notice for a missing mailbox where the code is about the mail or a rule', () => {
    const facts = { action: 'failed', diagnostic: '554 A problem occurred', nearby: '' } as const
    const moved = () => ({ cause: 'moved', isHint: false }) as const
    const full = () => ({ cause: 'full', isHint: false }) as const
    for (const status of ['5.6.0', '5.7.1', '5.7.350']) {
      expect(classify({ ...facts, status, around: moved })).toMatchObject({ kind: 'soft' })
      expect(classify({ ...facts, status, around: full })).toMatchObject({ cause: 'full' })
    }
    expect(classify({ ...facts, status: '5.0.0', around: moved })).toMatchObject({ kind: 'hard' })
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
