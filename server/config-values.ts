import { ConfigError } from './platform/errors.ts'

/** One reader for each kind of value in the environment. Secrets are never quoted back. */

const ROLES = ['web', 'worker', 'inbound', 'telegram'] as const
export type Role = (typeof ROLES)[number]

export function readRoles(text: string | null): ReadonlySet<Role> {
  if (text === null) return new Set(ROLES)
  const roles = text.split(',').map((word) => {
    const role = ROLES.find((known) => known === word.trim())
    if (!role)
      throw new ConfigError(
        `ROLES must be a comma list of ${ROLES.join(', ')}, for example ROLES=web,worker; it is "${text}"`,
      )
    return role
  })
  return new Set(roles)
}

export function readPort(name: string, text: string, { min }: { min: number }): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= min && port <= 65_535))
    throw new ConfigError(
      `${name} must be a port number from ${min} to 65535, for example ${name}=3000; it is "${text}"`,
    )
  return port
}

/** At least one, at most four weeks: after that nobody expects the mail any more. */
export function readHours(name: string, text: string): number {
  const hours = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  if (!(hours >= 1 && hours <= 672))
    throw new ConfigError(
      `${name} must be a number of hours from 1 to 672, for example ${name}=96; it is "${text}"`,
    )
  return hours
}

/** 0 is no limit. */
export function readAmount(name: string, text: string, { min = 1 }: { min?: number } = {}): number {
  const amount = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(amount === 0 || amount >= min))
    throw new ConfigError(
      `${name} must be a whole number from ${min}, or 0 for no limit, for example ${name}=1000; it is "${text}"`,
    )
  return amount
}

export function readPercent(name: string, text: string): number {
  const percent = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (!(percent <= 100))
    throw new ConfigError(
      `${name} must be a percentage from 0 (no limit) to 100, for example ${name}=0.3; it is "${text}"`,
    )
  return percent
}

export function readUrl(
  name: string,
  text: string,
  protocols: readonly string[] = ['http:', 'https:'],
  example = 'https://example.com',
): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && !isDecodable(url))
    throw new ConfigError(`${name} has a % in its user or password that must be written as %25`)
  if (!url || !protocols.includes(url.protocol) || !url.hostname)
    throw new ConfigError(
      `${name} must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, for example ${example}`,
    )
  return url
}

/**
 * One that the URL gives would win over those by which processes know each other's connections, and nobody could tell
 * any more that a Postrider runs.
 */
const CONNECTION_NAME = 'application_name'

type UrlWithPassword = { name: string; protocols: readonly string[]; example: string }

const SMTP_URL: UrlWithPassword = {
  name: 'SMTP_URL',
  protocols: ['smtp:', 'smtps:'],
  example: 'smtp://user:password@mail.example.com:587',
}
const DATABASE_URL: UrlWithPassword = {
  name: 'DATABASE_URL',
  protocols: ['postgres:', 'postgresql:'],
  example: 'postgres://user:password@localhost:5432/postrider',
}

/**
 * Such a sign in the password ends the host too early: the URL then cannot be read, or the user's name is taken for the
 * host, and what follows for a path, query or fragment.
 */
const cutShort = ({ name, example }: UrlWithPassword): ConfigError =>
  new ConfigError(
    `${name} is no URL such as ${example}; signs such as / ? # @ in its user or password must be written as %2F %3F %23 %40`,
  )

function readUrlWithPassword(text: string, kind: UrlWithPassword): URL {
  const startsRight = kind.protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))
  if (startsRight && !URL.canParse(text)) throw cutShort(kind)
  const url = readUrl(kind.name, text, kind.protocols, kind.example)
  if (url.hash) throw cutShort(kind)
  return url
}

export function readSmtpUrl(text: string): URL {
  const url = readUrlWithPassword(text, SMTP_URL)
  if (!['', '/'].includes(url.pathname) || url.search) throw cutShort(SMTP_URL)
  return url
}

export function readDatabaseUrl(text: string | null): string | null {
  if (text === null) return null
  const url = readUrlWithPassword(text, DATABASE_URL)
  if (!url.searchParams.has(CONNECTION_NAME)) return text
  url.searchParams.delete(CONNECTION_NAME)
  return url.href
}

/** `on`, `off`, or null when nothing was said. */
export function readSwitch(name: string, text: string | null): boolean | null {
  if (text === null) return null
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ConfigError(`${name} must be on or off, for example ${name}=on; it is "${text}"`)
}

/** `host` or `host:port`, an IPv6 host in brackets. */
export function readHostRules(text: string | null): readonly string[] {
  if (text === null) return []
  return text.split(',').map((entry) => {
    const rule = entry.trim().toLowerCase()
    if (!/^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.test(rule))
      throw new ConfigError(
        `ALLOW_PRIVATE_HOSTS must be a comma list of host or host:port, for example localhost:1025,mail.lan; "${entry.trim()}" is neither`,
      )
    return rule
  })
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** One or more labels of a name in DNS. */
export function readSelector(name: string, text: string | null): string | null {
  if (
    text === null ||
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
  )
    return text
  throw new ConfigError(
    `${name} must be letters, digits and dashes, for example ${name}=postrider; it is "${text}"`,
  )
}
