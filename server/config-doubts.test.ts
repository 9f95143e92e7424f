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
    ['two ways', { ...RELAY, ...HERE, RESEND_API_KEY: 're_canary' }, /^RESEND_API_KEY is not used.*SMTP_URL/],
  ])('is said in one sentence with its cure, without a secret: %s', (_, env, sentence) => {
    const { doubts } = readConfig(env)
    expect(doubts).toEqual([expect.stringMatching(sentence)])
    expect(doubts[0]).not.toMatch(/canary|\n/)
  })

  it('is nothing where all is set, and nothing where mail stays here', () => {
    expect(readConfig({ ...RELAY, ...HERE }).doubts).toEqual([])
    expect(readConfig({ ...HERE, RESEND_API_KEY: 're_1' }).doubts).toEqual([])
    expect(readConfig({}).doubts).toEqual([])
    expect(readConfig({ LOCAL_MAILBOX: 'on', HOST: '0.0.0.0' }).doubts).toEqual([])
  })
})
