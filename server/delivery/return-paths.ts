import type { Letter } from '../providers/provider.ts'
import type { DeliveryKey, DeliveryTokens } from './tokens.ts'

/**
 * The addresses that mails come back to: each delivery has its own, so that a report is known by where it was sent,
 * however little it says and whatever it claims.
 */
export type ReturnPaths = {
  /** Undefined for a mail from somebody's own address: its returns are theirs. */
  of(letter: Pick<Letter, 'from'>, delivery: DeliveryKey): string | undefined
  /** The delivery that an address was made for, in whatever case, its domain in ASCII; null for any other address. */
  read(address: string): DeliveryKey | null
  /** The one address that feedback loops report complaints to: they know no return paths, only what was registered. */
  isForComplaints(address: string): boolean
}

type Needs = {
  tokens: Pick<DeliveryTokens, 'returnToken' | 'readReturnToken'>
  /** Whose mail reaches our receiver; null where nothing is received. */
  domain: string | null
  mailFrom: string
}

const PREFIX = 'b-'
/** Kept from users in `inbox/names.ts`. */
const COMPLAINTS = 'fbl'

export function createReturnPaths({ tokens, domain, mailFrom }: Needs): ReturnPaths {
  return {
    of: ({ from }, delivery) =>
      domain === null || from.address !== mailFrom
        ? undefined
        : `${PREFIX}${tokens.returnToken(delivery)}@${domain}`,
    read(address) {
      const small = address.toLowerCase()
      if (domain === null || !small.startsWith(PREFIX) || !small.endsWith(`@${domain}`)) return null
      return tokens.readReturnToken(small.slice(PREFIX.length, -domain.length - 1))
    },
    isForComplaints: (address) => domain !== null && address.toLowerCase() === `${COMPLAINTS}@${domain}`,
  }
}
