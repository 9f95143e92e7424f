import type { Copy, Letter } from '../providers/provider.ts'
import { idempotencyKeyOf, messageIdOf } from './identity.ts'
import type { ClaimedDelivery } from './store/claims.ts'
import type { DeliveryTokens } from './tokens.ts'

const NO_HEADERS: Readonly<Record<string, string>> = {}

/** The recipients' own parts of a campaign's mail. */
export const createCopies =
  (domain: string, tokens: Pick<DeliveryTokens, 'linkToken'>) =>
  ({ mark }: Pick<Letter, 'mark'>, campaignId: string, deliveries: readonly ClaimedDelivery[]): Copy[] =>
    deliveries.map(({ seq, address, name }) => ({
      to: { name, address },
      messageId: messageIdOf(campaignId, seq, domain),
      idempotencyKey: idempotencyKeyOf(campaignId, seq),
      headers: NO_HEADERS,
      ...(mark === undefined ? {} : { token: tokens.linkToken({ campaignId, seq }) }),
    }))
