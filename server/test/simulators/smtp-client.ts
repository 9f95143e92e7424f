import { trustedDial } from '../../platform/dialer.ts'
import type { Letter, Outcome, Provider } from '../../providers/provider.ts'
import { createSmtp, type SmtpOptions } from '../../providers/smtp.ts'
import { aCopy, aLetter, kinds, sendOne } from './a-mail.ts'

/** An SMTP provider for a relay on loopback: say only what matters. */
export const anSmtpProvider = (port: number, options: Partial<SmtpOptions> = {}): Provider =>
  createSmtp({
    host: '127.0.0.1',
    security: 'starttls-if-offered',
    auth: null,
    dial: trustedDial('127.0.0.1', port),
    ...options,
  })

/** One mail. Its Message-ID is made of the recipient's address, so that it can be found again. */
export async function sendTo(
  provider: Provider,
  to = 'ann@x.test',
  {
    letter = aLetter(),
    signal = new AbortController().signal,
  }: { letter?: Letter; signal?: AbortSignal } = {},
): Promise<Outcome> {
  return sendOne(provider, letter, aCopy({ to, messageId: `<${encodeURIComponent(to)}@x.test>` }), signal)
}

export const people = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `person${n}@x.test`)

/** A mail to each of them at the same time, and what becomes of it. */
export const sendAll = async (provider: Provider, addresses: readonly string[]): Promise<string[]> =>
  kinds(await Promise.all(addresses.map((to) => sendTo(provider, to))))

export const recipientOf = (message: string): string => /^To: (.*)\r$/m.exec(message)?.[1] ?? ''
