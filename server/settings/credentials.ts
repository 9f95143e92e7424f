import { DEFAULT_SES_REGION, DEFAULT_SMTP_PORT, type ProviderName } from '../../contract/settings.ts'
import { AppError } from '../platform/errors.ts'
import { readHost } from '../platform/host-name.ts'
import { requireOneLine } from '../platform/text-safety.ts'
import type { OwnAccount } from '../providers/own-account.ts'
import { isSesRegion } from '../providers/ses.ts'

/** What a user typed; a secret that was left blank is meant to stay as it is stored. */
type Typed = {
  smtpHost?: string | undefined
  smtpPort?: number | undefined
  smtpUser?: string | undefined
  smtpPassword?: string | undefined
  apiKey?: string | undefined
}

/** Where mail may be handed over on the public internet; a relay in the operator's own network listens anywhere. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2465, 2525, 2587])

type Rules = { isAllowedPrivate: (host: string, port: number) => boolean }

/**
 * The account that typed and stored values make together; null for the product's own. A stored secret serves only
 * where it was stored for: towards another provider or host it would be handed to a stranger.
 */
export function accountOf(
  provider: ProviderName,
  typed: Typed,
  stored: OwnAccount | null,
  rules: Rules,
): OwnAccount | null {
  for (const [what, text] of [
    ['The user', typed.smtpUser],
    ['The password', typed.smtpPassword],
    ['The API key', typed.apiKey],
  ] as const)
    requireOneLine(what, text ?? '')
  if (!/^[\x20-\x7e]*$/.test(typed.apiKey ?? ''))
    missing('The API key holds a character that no key has; please copy it again')
  switch (provider) {
    case 'resend':
      return null
    case 'smtp':
      return relayOf(typed, stored, rules)
    case 'ses':
      return sesOf(typed, stored)
    case 'sendgrid':
    case 'mailgun': {
      const kept = stored?.provider === provider ? stored.apiKey : ''
      return {
        provider,
        apiKey: typed.apiKey || kept || missing(`Please enter your ${LABELS[provider]} API key`),
      }
    }
  }
}

export const LABELS: Record<ProviderName, string> = {
  resend: 'Resend',
  smtp: 'SMTP',
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
  ses: 'Amazon SES',
}

function relayOf(typed: Typed, stored: OwnAccount | null, { isAllowedPrivate }: Rules): OwnAccount {
  const host = readHost(typed.smtpHost ?? '')
  if (host === null) missing('Please enter the SMTP host, for example smtp.example.com')
  const port = typed.smtpPort ?? DEFAULT_SMTP_PORT
  if (!MAIL_PORTS.has(port) && !isAllowedPrivate(host, port))
    throw new AppError(400, `Port ${port} is not a port for handing over mail; use 587, 465, 2525 or 25`)
  const kept = stored?.provider === 'smtp' && stored.host === host && stored.port === port ? stored : null
  const user = typed.smtpUser ?? kept?.user ?? ''
  // Dropped in silence, a password that nobody has tried would pass for a good one.
  if (user === '' && typed.smtpPassword)
    missing('Please enter the SMTP user that this password belongs to, or leave both blank')
  if (user === '') return { provider: 'smtp', host, port, user, password: '' }
  const password =
    typed.smtpPassword ||
    kept?.password ||
    missing(
      stored?.provider === 'smtp'
        ? 'Please enter the password again: the stored one belongs to another host'
        : 'Please enter the SMTP password, or leave user and password blank for a relay that asks for none',
    )
  return { provider: 'smtp', host, port, user, password }
}

function sesOf(typed: Typed, stored: OwnAccount | null): OwnAccount {
  const region = typed.smtpHost || DEFAULT_SES_REGION
  if (!isSesRegion(region))
    throw new AppError(400, 'This is not a region of Amazon SES; write it like us-east-1')
  const kept = stored?.provider === 'ses' && stored.region === region ? stored : null
  const again = stored?.provider === 'ses' && !kept ? ' again: the stored one belongs to another region' : ''
  return {
    provider: 'ses',
    region,
    accessKeyId: typed.apiKey || kept?.accessKeyId || missing(`Please enter the AWS access key id${again}`),
    secretAccessKey:
      typed.smtpPassword ||
      kept?.secretAccessKey ||
      missing(`Please enter the AWS secret access key${again}`),
  }
}

function missing(sentence: string): never {
  throw new AppError(400, sentence)
}
