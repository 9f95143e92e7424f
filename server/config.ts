import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { doubtsAbout } from './config-doubts.ts'
import {
  type Role,
  readAmount,
  readDatabaseUrl,
  readHostRules,
  readHours,
  readPercent,
  readPort,
  readRoles,
  readSelector,
  readSmtpUrl,
  readSwitch,
  readUrl,
} from './config-values.ts'
import type { DkimSettings } from './platform/dkim-key.ts'
import { ConfigError } from './platform/errors.ts'
import type { LogLevel } from './platform/log.ts'
import { isLoopback } from './platform/network-address.ts'
import type { ProductTransport } from './platform/product-transport.ts'

export type Config = {
  host: string
  port: number
  publicUrl: URL
  dataDir: string
  databaseUrl: string | null
  secretKey: string | null
  roles: ReadonlySet<Role>
  mailFrom: string
  transport: ProductTransport
  /** Sentences to be said at the start: allowed, but hardly meant. */
  doubts: readonly string[]
  vendors: { resend: URL; sendgrid: URL; mailgun: URL | null; ses: URL | null; snsCertificates: URL | null }
  telegram: { token: string; apiRoot: URL; webhookSecret: string | null } | null
  /** `isWished`: somebody has named the port or the domain, and counts on mail coming back to it. */
  inbound: { port: number; isWished: boolean; domain: string }
  /** What strangers may store: in one inbox on one day, and of the disk of this machine; 0 is no limit. */
  inboxLimits: { messages: number; megabytes: number; freeMegabytes: number }
  dkim: DkimSettings
  allowPrivateHosts: readonly string[]
  /** Whether mails may tell when they are read. */
  tracksOpens: boolean
  /** In percent: past them a user's campaigns by the shared address pause by themselves. */
  limits: { complaints: number; bounces: number }
  /** How long a mail is tried that a server refuses for now. */
  retryMs: number
  /** `port`: where a process that serves no web tells its metrics; null for nowhere. */
  metrics: { token: string | null; port: number | null }
  logLevel: LogLevel
}

const LOG_LEVELS: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const SECRET_KEY_MIN = 32

type Env = Readonly<Record<string, string | undefined>>

/** Reads the whole configuration; the first wrong value stops with a sentence that names it and shows a right one. */
export function readConfig(env: Env): Config {
  // A variable that is set to nothing is one that somebody left blank in .env: the default applies.
  const value = (name: string): string | null => env[name]?.trim() || null
  const host = value('HOST') ?? '127.0.0.1'
  const port = readPort('PORT', value('PORT') ?? '3000', { min: 1 })
  const publicUrl = readUrl('PUBLIC_URL', value('PUBLIC_URL') ?? `http://localhost:${port}`, [
    'http:',
    'https:',
  ])
  if (publicUrl.pathname !== '/' || publicUrl.search || publicUrl.hash || publicUrl.username)
    throw new ConfigError(
      'PUBLIC_URL must be an origin without path, query or user, for example https://mail.example.com',
    )
  const databaseUrl = readDatabaseUrl(value('DATABASE_URL'))
  const mailFrom = readMailFrom(value('MAIL_FROM') ?? 'mail@postrider.localhost')
  const mailDomain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1)
  const dataDir = resolve(value('DATA_DIR') ?? './data')
  const transport = readTransport(value, host, publicUrl)
  const hasResendKey = value('RESEND_API_KEY') !== null
  const roles = readRoles(value('ROLES'))
  const inbound = {
    port: readPort('INBOUND_SMTP_PORT', value('INBOUND_SMTP_PORT') ?? '2525', { min: 0 }),
    isWished: value('INBOUND_SMTP_PORT') !== null || value('INBOUND_DOMAIN') !== null,
    domain: readDomain(value('INBOUND_DOMAIN') ?? mailDomain),
  }

  return {
    host,
    port,
    publicUrl,
    dataDir,
    databaseUrl,
    secretKey: readSecretKey(value('SECRET_KEY'), databaseUrl !== null),
    roles,
    mailFrom,
    transport,
    doubts: doubtsAbout({ transport, mailFrom, publicUrl, hasResendKey, host, roles, inbound }),
    vendors: {
      resend: readUrl('RESEND_BASE_URL', value('RESEND_BASE_URL') ?? 'https://api.resend.com'),
      sendgrid: readUrl('SENDGRID_BASE_URL', value('SENDGRID_BASE_URL') ?? 'https://api.sendgrid.com'),
      // These live at one host per region: null means that the region decides.
      mailgun: optionalUrl('MAILGUN_BASE_URL', value('MAILGUN_BASE_URL')),
      ses: optionalUrl('SES_BASE_URL', value('SES_BASE_URL')),
      snsCertificates: optionalUrl('SNS_CERT_BASE_URL', value('SNS_CERT_BASE_URL')),
    },
    telegram: readTelegram(value, publicUrl),
    inbound,
    inboxLimits: {
      messages: readAmount('INBOX_DAILY_MESSAGES', value('INBOX_DAILY_MESSAGES') ?? '20000'),
      // The largest mail that is taken, by whichever way, fits into one day.
      megabytes: readAmount('INBOX_DAILY_MB', value('INBOX_DAILY_MB') ?? '1000', { min: 50 }),
      freeMegabytes: readAmount('INBOX_FREE_MB', value('INBOX_FREE_MB') ?? '500'),
    },
    tracksOpens: readSwitch('TRACK_OPENS', value('TRACK_OPENS')) ?? true,
    limits: {
      complaints: readPercent('COMPLAINT_LIMIT', value('COMPLAINT_LIMIT') ?? '0.3'),
      bounces: readPercent('BOUNCE_LIMIT', value('BOUNCE_LIMIT') ?? '10'),
    },
    retryMs: readHours('RETRY_HOURS', value('RETRY_HOURS') ?? '96') * 3_600_000,
    dkim: {
      selector: readSelector('DKIM_SELECTOR', value('DKIM_SELECTOR')),
      domain: mailDomain,
      keyFile: resolve(value('DKIM_KEY_FILE') ?? join(dataDir, 'dkim.pem')),
    },
    allowPrivateHosts: readHostRules(value('ALLOW_PRIVATE_HOSTS')),
    metrics: readMetrics(value),
    logLevel: readLogLevel(value('LOG_LEVEL') ?? 'info'),
  }
}

/** The process environment over the `.env` file of the working directory: the only place that looks at either. */
function environment(): Env {
  const file = resolve('.env')
  return { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...process.env }
}

export const loadConfig = (): Config => readConfig(environment())

/** Only for the command that replaces the key; blank where nobody has named one. */
const namedNewKey = (): string => environment()['NEW_SECRET_KEY']?.trim() ?? ''

export const isNewSecretKeyNamed = (): boolean => namedNewKey() !== ''

export function loadNewSecretKey(): string {
  const key = namedNewKey()
  if (key.length < SECRET_KEY_MIN)
    throw new ConfigError(
      `NEW_SECRET_KEY must have at least ${SECRET_KEY_MIN} characters; make one with: openssl rand -base64 32`,
    )
  return key
}

type Value = (name: string) => string | null

function readTransport(value: Value, host: string, publicUrl: URL): ProductTransport {
  const smtp = value('SMTP_URL')
  const resendKey = value('RESEND_API_KEY')
  const wished = readSwitch('LOCAL_MAILBOX', value('LOCAL_MAILBOX'))
  if (smtp || resendKey) {
    if (wished)
      throw new ConfigError(
        `LOCAL_MAILBOX=on cannot stand beside ${smtp ? 'SMTP_URL' : 'RESEND_API_KEY'}: mail would no longer leave; remove one of the two`,
      )
    if (smtp) return { kind: 'smtp', url: readSmtpUrl(smtp) }
    return {
      kind: 'resend',
      apiKey: resendKey ?? '',
      baseUrl: readUrl('RESEND_BASE_URL', value('RESEND_BASE_URL') ?? 'https://api.resend.com'),
      webhookSecret: value('RESEND_WEBHOOK_SECRET'),
    }
  }
  if (wished) return { kind: 'local-mailbox', readers: 'everybody' }
  // With a public address a proxy on this machine passes others on, and they may look like this machine's own.
  const readers = isLoopback(publicUrl.hostname) ? 'this-machine' : 'nobody'
  if (wished === null && isLoopback(host)) return { kind: 'local-mailbox', readers }
  throw new ConfigError(
    `No way to send mail: set RESEND_API_KEY or SMTP_URL (for example SMTP_URL=smtp://mail.example.com:587); ${
      wished === false
        ? 'LOCAL_MAILBOX is off'
        : `with HOST=${host} the local mailbox needs an explicit LOCAL_MAILBOX=on`
    }`,
  )
}

function readMailFrom(text: string): string {
  if (!/^[a-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text))
    throw new ConfigError(
      `MAIL_FROM must be one bare e-mail address, for example mail@example.com; it is "${text}"`,
    )
  return text
}

function readDomain(text: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text))
    throw new ConfigError(
      `INBOUND_DOMAIN must be a domain name, for example mail.example.com; it is "${text}"`,
    )
  return text.toLowerCase()
}

function readSecretKey(text: string | null, databaseIsElsewhere: boolean): string | null {
  if (text === null && databaseIsElsewhere)
    throw new ConfigError(
      'SECRET_KEY is required beside DATABASE_URL, and the same for every process; make one with: openssl rand -base64 32',
    )
  if (text !== null && text.length < SECRET_KEY_MIN)
    throw new ConfigError(
      `SECRET_KEY must have at least ${SECRET_KEY_MIN} characters; make one with: openssl rand -base64 32`,
    )
  return text
}

function readMetrics(value: Value): Config['metrics'] {
  const token = value('METRICS_TOKEN')
  if (token !== null && !/^[\x21-\x7e]{16,}$/.test(token))
    throw new ConfigError(
      'METRICS_TOKEN must have at least 16 characters and no blank; make one with: openssl rand -hex 32',
    )
  const port = value('METRICS_PORT')
  return { token, port: port === null ? null : readPort('METRICS_PORT', port, { min: 1 }) }
}

function readTelegram(value: Value, publicUrl: URL): Config['telegram'] {
  const apiRoot = readUrl('TELEGRAM_API_ROOT', value('TELEGRAM_API_ROOT') ?? 'https://api.telegram.org')
  const webhookSecret = value('TELEGRAM_WEBHOOK_SECRET')
  // Telegram allows these characters only; 22 of them carry 128 bits.
  if (webhookSecret && !/^[\w-]{22,256}$/.test(webhookSecret))
    throw new ConfigError(
      'TELEGRAM_WEBHOOK_SECRET must be 22 to 256 of A-Z a-z 0-9 _ -; make one with: openssl rand -hex 32',
    )
  if (webhookSecret && publicUrl.protocol !== 'https:')
    throw new ConfigError(
      'TELEGRAM_WEBHOOK_SECRET needs a PUBLIC_URL that begins with https://, since Telegram calls no other; leave it out, and Postrider asks Telegram instead',
    )
  const token = value('TELEGRAM_BOT_TOKEN')
  if (!token) return null
  if (!/^\d+:[\w-]{10,}$/.test(token))
    throw new ConfigError('TELEGRAM_BOT_TOKEN does not look like a bot token (for example 123456:ABC-DEF…)')
  return { token, apiRoot, webhookSecret }
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text)
  if (!level) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; it is "${text}"`)
  return level
}

const optionalUrl = (name: string, text: string | null): URL | null =>
  text === null ? null : readUrl(name, text)
