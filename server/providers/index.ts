import { type DkimSettings, readDkimKey } from '../platform/dkim-key.ts'
import type { ProductTransport } from '../platform/product-transport.ts'
import { createDkim, type SignMessage } from './dkim.ts'
import { createLocalMailbox, type Deposit } from './local-mailbox.ts'
import type { Provider } from './provider.ts'
import { createResend } from './resend.ts'
import { createSmtpRelay } from './smtp.ts'

/** `deposit` belongs to the local mailbox and is null where there is none. */
export async function createProductProvider(
  transport: ProductTransport,
  { deposit, dkim }: { deposit: Deposit | null; dkim: DkimSettings },
): Promise<Provider> {
  switch (transport.kind) {
    case 'local-mailbox':
      if (!deposit) throw new Error('the local mailbox has nowhere to put its mail')
      return createLocalMailbox({ deposit })
    case 'smtp':
      return createSmtpRelay({ url: transport.url, ...(await signing(dkim)) })
    case 'resend':
      return createResend({ apiKey: transport.apiKey, baseUrl: transport.baseUrl })
  }
}

async function signing({ selector, domain, keyFile }: DkimSettings): Promise<{ sign?: SignMessage }> {
  if (selector === null) return {}
  return { sign: createDkim({ selector, domain, key: await readDkimKey(keyFile) }) }
}
