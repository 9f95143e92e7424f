import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const HERE = { MAIL_FROM: 'mail@example.com', PUBLIC_URL: 'https://mail.example.com' }
const RELAY = { SMTP_URL: 'smtp://user:canary@relay.example.com:587' }

describe('what is doubtful where mail leaves the machine', () => {
  it.each([
    [
      'MAIL_FROM left out',
      { ...RELAY, PUBLIC_URL: HERE.PUBLIC_URL },
      /mail@postrider\.localhost.*MAIL_FROM=/,
    ],
    [
      'MAIL_FROM left out',
      { RESEND_API_KEY: 're_1', PUBLIC_URL: HERE.PUBLIC_URL },
      /: set MAIL_FROM, .*example/,
    ],
    [
      'PUBLIC_URL left out',
      { ...RELAY, MAIL_FROM: HERE.MAIL_FROM },
      /http:\/\/localhost:3000.*PUBLIC_URL.*https/,
    ],
    ['a loopback PUBLIC_URL', { ...RELAY, ...HERE, PUBLIC_URL: 'http://127.0.0.1:80' }, /: set PUBLIC_URL, /],
    [
      'a receiver that nobody reaches',
      { ...RELAY, ...HERE, INBOUND_DOMAIN: 'in.example.com' },
      /^Mail to in\.example\.com .*HOST=127\.0\.0\.1, which no other machine reaches: set HOST=0\.0\.0\.0, or INBOUND_SMTP_PORT=0 /,
    ],
    [
      'a receiver that nobody reaches',
      { ...RELAY, ...HERE, INBOUND_SMTP_PORT: '2526', HOST: '::1' },
      /^Mail to example\.com .*HOST=::1, /,
    ],
    ['two ways', { ...RELAY, ...HERE, RESEND_API_KEY: 're_canary' }, /^RESEND_API_KEY is not used.*SMTP_URL/],
  ])('is said in one sentence with its cure, without a secret: %s', (_, env, sentence) => {
    const { doubts } = readConfig(env)
    expect(doubts).toEqual([expect.stringMatching(sentence)])
    expect(doubts[0]).not.toMatch(/canary|\n/)
  })

  it.each([
    ['that listens beyond the machine', { HOST: '0.0.0.0' }],
    ['of another process', { ROLES: 'web,worker' }],
    ['that is switched off', { INBOUND_SMTP_PORT: '0' }],
  ])('is not a receiver %s', (_, env) => {
    expect(readConfig({ ...RELAY, ...HERE, INBOUND_DOMAIN: 'in.example.com', ...env }).doubts).toEqual([])
  })

  it('is nothing where all is set, and nothing where mail stays here', () => {
    expect(readConfig({ ...RELAY, ...HERE }).doubts).toEqual([])
    expect(readConfig({ ...HERE, RESEND_API_KEY: 're_1' }).doubts).toEqual([])
    expect(readConfig({}).doubts).toEqual([])
    expect(readConfig({ LOCAL_MAILBOX: 'on', HOST: '0.0.0.0' }).doubts).toEqual([])
  })
})
