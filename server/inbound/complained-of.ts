import { firstAddress } from '../bounces/addresses.ts'
import { headerOf } from '../bounces/mail-headers.ts'
import type { BounceReading } from '../bounces/reading.ts'
import type { ReturnPaths } from '../delivery/return-paths.ts'
import type { DeliveryKey, DeliveryTokens } from '../delivery/tokens.ts'
import { withAsciiDomain } from '../inbox/ascii-domain.ts'

type Needs = {
  returnPaths: Pick<ReturnPaths, 'read'>
  tokens: Pick<DeliveryTokens, 'readLinkToken'>
}

/** Of whatever origin: an installation may have had another `PUBLIC_URL` when the mail left. */
const UNSUBSCRIBE = /\/u\/([\w-]{48})(?![\w-])/

/**
 * Which delivery somebody complains of at a feedback loop, which reports all complaints to one address. Loops blacken whom
 * it was written to, but give back the envelope sender or the headers; the token in these proves that the report is about
 * that very mail. Null where there is none of ours.
 */
export const createComplainedOf =
  ({ returnPaths, tokens }: Needs) =>
  ({ original: { mailFrom = '', headers } }: BounceReading): DeliveryKey | null => {
    for (const path of [mailFrom, headerOf(headers, 'return-path')]) {
      const address = firstAddress(path)
      const delivery = address && returnPaths.read(withAsciiDomain(address))
      if (delivery) return delivery
    }
    const [, token = ''] = UNSUBSCRIBE.exec(headerOf(headers, 'list-unsubscribe')) ?? []
    return tokens.readLinkToken(token)
  }
