import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './platform/errors.ts'

describe('the configuration', () => {
  it('needs nothing at all', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: null,
      secretKey: null,
      mailFrom: 'mail@postrider.localhost',
      transport: { kind: 'local-mailbox', readers: 'this-machine' },
      telegram: null,
      inbound: { port: 2525, isWished: false, domain: 'postrider.localhost' },
      dkim: {
        selector: null,
        domain: 'postrider.localhost',
        keyFile: expect.stringMatching(/data.dkim\.pem$/),
      },
      allowPrivateHosts: [],
      logLevel: 'info',
    })
    expect(config.publicUrl.origin).toBe('http://localhost:3000')
    expect([...config.roles]).toEqual(['web', 'worker', 'inbound', 'telegram'])
    expect(config.dataDir).toMatch(/\/data$/)
  })

  it('takes a blank value for one that was not given', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '  ', ROLES: '' }).port).toBe(3000)
  })

  it('links to the port it listens on unless told otherwise', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl.href).toBe('http://localhost:8080/')
    expect(readConfig({ PORT: '8080', PUBLIC_URL: 'https://mail.example.com' }).publicUrl.href).toBe(
      'https://mail.example.com/',
    )
  })

  it.each([
    [{ SMTP_URL: 'smtps://user:pass@relay.example.com' }, 'smtp'],
    [{ RESEND_API_KEY: 're_123' }, 'resend'],
    [{ RESEND_API_KEY: 're_123', SMTP_URL: 'smtp://relay.example.com' }, 'smtp'],
    [{ HOST: '0.0.0.0', LOCAL_MAILBOX: 'on' }, 'local-mailbox'],
    [{ HOST: '::1' }, 'local-mailbox'],
  ])('sends the product mail by what is set: %j', (env, kind) => {
    expect(readConfig(env).transport.kind).toBe(kind)
  })

  it.each([
    [{}, 'this-machine'],
    [{ PUBLIC_URL: 'http://127.0.0.1:8080' }, 'this-machine'],
    [{ PUBLIC_URL: 'https://mail.example.com' }, 'nobody'],
    [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, 'nobody'],
    [{ PUBLIC_URL: 'https://mail.example.com', LOCAL_MAILBOX: 'on' }, 'everybody'],
    [{ HOST: '0.0.0.0', LOCAL_MAILBOX: 'on' }, 'everybody'],
  ])('lets the local mailbox be read by whom it is safe or wished for: %j', (env, readers) => {
    expect(readConfig(env).transport).toEqual({ kind: 'local-mailbox', readers })
  })

  const KEY = 'x'.repeat(32)
  it.each([
    [{ PORT: 'abc' }, /^PORT must be a port number.*example/],
    [{ PORT: '0' }, /^PORT/],
    [{ PORT: '70000' }, /^PORT/],
    [{ PUBLIC_URL: 'mail.example.com' }, /^PUBLIC_URL must be a URL.*example/],
    [{ PUBLIC_URL: 'ftp://mail.example.com' }, /^PUBLIC_URL/],
    [{ PUBLIC_URL: 'https://mail.example.com/app' }, /^PUBLIC_URL must be an origin.*example/],
    [{ DATABASE_URL: 'mysql://localhost/x', SECRET_KEY: KEY }, /^DATABASE_URL.*postgres:\/\//],
    [{ DATABASE_URL: 'postgres://localhost/x' }, /^SECRET_KEY is required beside DATABASE_URL.*openssl/],
    [{ SECRET_KEY: 'short' }, /^SECRET_KEY must have at least 32/],
    [{ DKIM_SELECTOR: 'a b' }, /^DKIM_SELECTOR must be.*example/],
    [{ ROLES: 'web,cook' }, /^ROLES must be a comma list.*example/],
    [{ MAIL_FROM: 'Jane <a@b.c>' }, /^MAIL_FROM.*example/],
    [{ SMTP_URL: 'relay.example.com' }, /^SMTP_URL.*smtp:\/\//],
    [{ SMTP_URL: 'smtp://user:100%@relay.example.com' }, /^SMTP_URL has a %.*%25/],
    [{ RESEND_BASE_URL: 'nonsense' }, /^RESEND_BASE_URL/],
    [{ SENDGRID_BASE_URL: 'nonsense' }, /^SENDGRID_BASE_URL/],
    [{ MAILGUN_BASE_URL: 'nonsense' }, /^MAILGUN_BASE_URL/],
    [{ SES_BASE_URL: 'nonsense' }, /^SES_BASE_URL/],
    [{ SNS_CERT_BASE_URL: 'nonsense' }, /^SNS_CERT_BASE_URL/],
    [{ TELEGRAM_BOT_TOKEN: 'nonsense' }, /^TELEGRAM_BOT_TOKEN.*example/],
    [{ METRICS_TOKEN: 'short' }, /^METRICS_TOKEN.*openssl/],
    [{ METRICS_PORT: '70000' }, /^METRICS_PORT.*example/],
    [{ TELEGRAM_API_ROOT: 'nonsense' }, /^TELEGRAM_API_ROOT/],
    [{ TELEGRAM_WEBHOOK_SECRET: 'short' }, /^TELEGRAM_WEBHOOK_SECRET.*openssl/],
    [{ TELEGRAM_WEBHOOK_SECRET: 'x'.repeat(32) }, /^TELEGRAM_WEBHOOK_SECRET needs a PUBLIC_URL/],
    [{ INBOUND_SMTP_PORT: '-1' }, /^INBOUND_SMTP_PORT/],
    [{ INBOUND_DOMAIN: 'not a domain' }, /^INBOUND_DOMAIN.*example/],
    [{ ALLOW_PRIVATE_HOSTS: 'localhost:1025, http://x' }, /^ALLOW_PRIVATE_HOSTS.*"http:\/\/x"/],
    [{ LOCAL_MAILBOX: 'yes' }, /^LOCAL_MAILBOX must be on or off/],
    [
      { LOCAL_MAILBOX: 'on', SMTP_URL: 'smtp://relay.example.com' },
      /^LOCAL_MAILBOX=on cannot stand beside SMTP_URL/,
    ],
    [{ HOST: '0.0.0.0' }, /RESEND_API_KEY or SMTP_URL.*LOCAL_MAILBOX=on/],
    [{ LOCAL_MAILBOX: 'off' }, /RESEND_API_KEY or SMTP_URL/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
  ])('stops at a wrong value with one sentence that names it: %j', (env, sentence) => {
    const attempt = () => readConfig(env)
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(sentence)
    expect(attempt).not.toThrow(/\n/)
  })

  const SIGNS = /^(SMTP_URL|DATABASE_URL) .* signs such as \/ \? # @ .* %2F %3F %23 %40$/
  it.each([
    { SMTP_URL: 'smtp://AKIAX:BEk/abc+d@email-smtp.us-east-1.amazonaws.com:587' },
    { SMTP_URL: 'smtps://user:a?b@relay.example.com' },
    { SMTP_URL: 'SMTP://user:a#b@relay.example.com' },
    { SMTP_URL: 'smtp://user:12/34@relay.example.com:587' },
    { SMTP_URL: 'smtp://user:12?34@relay.example.com:587' },
    { SMTP_URL: 'smtp://user:12#34@relay.example.com:587' },
    { DATABASE_URL: 'postgres://user:a/b@localhost/postrider', SECRET_KEY: KEY },
    { DATABASE_URL: 'postgresql://user:a?b@localhost/postrider', SECRET_KEY: KEY },
    { DATABASE_URL: 'postgres://user:12#34@localhost/postrider', SECRET_KEY: KEY },
  ])('says how a password is written that would cut its URL short: %j', (env) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(SIGNS)
  })

  it('takes such a password as it is to be written, and what else belongs to a URL', () => {
    const smtp = readConfig({ SMTP_URL: 'smtp://user:%2F%3F%23%40@relay.example.com:587/' }).transport
    expect(smtp).toMatchObject({ kind: 'smtp', url: { host: 'relay.example.com:587', username: 'user' } })
    const DATABASE_URL = 'postgres://user:%2F%3F%23@localhost/postrider?sslmode=verify-full'
    expect(readConfig({ DATABASE_URL, SECRET_KEY: KEY }).databaseUrl).toBe(DATABASE_URL)
  })

  it('drops a name for its connections from DATABASE_URL, and nothing else', () => {
    const given = 'postgres://user:%2F%40@db.x:5433/post%20rider?application_name=x&host=%2Frun&ssl=true'
    const read = readConfig({ DATABASE_URL: given, SECRET_KEY: KEY }).databaseUrl
    expect(read).toBe('postgres://user:%2F%40@db.x:5433/post%20rider?host=%2Frun&ssl=true')
  })

  it('never repeats a secret in its complaint', () => {
    for (const env of [
      { SECRET_KEY: 'canary' },
      { TELEGRAM_BOT_TOKEN: 'canary' },
      { SMTP_URL: 'x://u:canary@h' },
      { SMTP_URL: 'smtp://u:canary/x@h' },
      { SMTP_URL: 'smtp://u:1/canary@h' },
      { DATABASE_URL: 'x://u:canary@h' },
      { DATABASE_URL: 'postgres://u:canary/x@h' },
    ])
      expect(() => readConfig(env)).not.toThrow(/canary/)
  })
})
