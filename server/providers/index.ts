import type { ProductTransport } from '../platform/product-transport.ts'
import { createLocalMailbox, type Deposit } from './local-mailbox.ts'
import type { Provider } from './provider.ts'
import { createResend } from './resend.ts'
import { createSmtpRelay } from './smtp.ts'

/** `deposit` belongs to the local mailbox and is null where there is none. */
export function createProductProvider(
  transport: ProductTransport,
  { deposit }: { deposit: Deposit | null },
): Provider {
  switch (transport.kind) {
    case 'local-mailbox':
      if (!deposit) throw new Error('the local mailbox has nowhere to put its mail')
      return createLocalMailbox({ deposit })
    case 'smtp':
      return createSmtpRelay({ url: transport.url })
    case 'resend':
      return createResend({ apiKey: transport.apiKey, baseUrl: transport.baseUrl })
  }
}
