import type { Dial } from '../platform/dialer.ts'
import { createMailgun } from './mailgun.ts'
import type { Provider } from './provider.ts'
import { createSendgrid } from './sendgrid.ts'
import { createSes } from './ses.ts'
import { createSmtp } from './smtp.ts'

/** A provider account that belongs to a user, ready to be used: its secrets stand open here. */
export type OwnAccount =
  | { provider: 'smtp'; host: string; port: number; user: string; password: string }
  | { provider: 'sendgrid'; apiKey: string }
  | { provider: 'mailgun'; apiKey: string }
  | { provider: 'ses'; accessKeyId: string; secretAccessKey: string; region: string }

type OwnAccountNeeds = {
  vendors: { sendgrid: URL; mailgun: URL | null; ses: URL | null }
  dial: (host: string, port: number) => Dial
  /** Hosts in the operator's own network, by whose leave the connection may stay unencrypted. */
  isAllowedPrivate: (host: string, port: number) => boolean
}

/** Where TLS begins with the first byte; everywhere else it is asked for by STARTTLS. */
const IMPLICIT_TLS_PORTS: ReadonlySet<number> = new Set([465, 2465])

export function createOwnProvider(
  account: OwnAccount,
  { vendors, dial, isAllowedPrivate }: OwnAccountNeeds,
): Provider {
  switch (account.provider) {
    case 'sendgrid':
      return createSendgrid({ apiKey: account.apiKey, baseUrl: vendors.sendgrid })
    case 'mailgun':
      return createMailgun({ apiKey: account.apiKey, baseUrl: vendors.mailgun })
    case 'ses':
      return createSes({ ...account, baseUrl: vendors.ses })
    case 'smtp': {
      const { host, port, user, password } = account
      const mayStayPlain = isAllowedPrivate(host, port)
      return createSmtp({
        host,
        security: IMPLICIT_TLS_PORTS.has(port)
          ? 'implicit'
          : mayStayPlain
            ? 'starttls-if-offered'
            : 'starttls-required',
        auth: user === '' ? null : { user, password },
        dial: dial(host, port),
      })
    }
  }
}
