import type { Copy, Letter } from '../providers/provider.ts'
import { idempotencyKeyOf, messageIdOf } from './identity.ts'
import type { ReturnPaths } from './return-paths.ts'
import type { ClaimedDelivery } from './store/claims.ts'
import type { DeliveryTokens } from './tokens.ts'

/** The recipients' own parts of a campaign's mail. */
export type CopiesOf = (
  letter: Pick<Letter, 'mark' | 'from'>,
  campaignId: string,
  deliveries: readonly ClaimedDelivery[],
) => Copy[]

type Needs = {
  /** The right-hand side of every Message-ID. */
  domain: string
  tokens: Pick<DeliveryTokens, 'linkToken'>
  returnPaths: Pick<ReturnPaths, 'of'>
}

const NO_HEADERS: Readonly<Record<string, string>> = {}

export const createCopies =
  ({ domain, tokens, returnPaths }: Needs): CopiesOf =>
  (letter, campaignId, deliveries) =>
    deliveries.map(({ seq, address, name }) => {
      const returnPath = returnPaths.of(letter, { campaignId, seq })
      return {
        to: { name, address },
        messageId: messageIdOf(campaignId, seq, domain),
        idempotencyKey: idempotencyKeyOf(campaignId, seq),
        headers: NO_HEADERS,
        ...(letter.mark === undefined ? {} : { token: tokens.linkToken({ campaignId, seq }) }),
        ...(returnPath === undefined ? {} : { returnPath }),
      }
    })
