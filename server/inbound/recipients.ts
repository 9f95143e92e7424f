import type { ReturnPaths } from '../delivery/return-paths.ts'
import type { DeliveryKey } from '../delivery/tokens.ts'

/** For whom a mail is taken in. `return`: it is about a delivery of ours that came back, or that somebody complains of. */
export type Recipient = { kind: 'return'; delivery: DeliveryKey }

/** Decides by the address alone; null is nobody here. */
export type RecipientOf = (address: string) => Promise<Recipient | null>

export const createRecipientOf =
  (returnPaths: Pick<ReturnPaths, 'read'>): RecipientOf =>
  async (address) => {
    const delivery = returnPaths.read(address)
    return delivery && { kind: 'return', delivery }
  }
