import { parseMailAddress } from '../platform/mail-address.ts'
import { addressKey } from './addresses.ts'
import { REASON_MAX } from './classify.ts'
import type { BounceReading, ReportAction, ReportedRecipient } from './reading.ts'

/** Whom a mail was passed on to and did not reach; `isElsewhere`: it went on to others, so that it did not come back whole. */
type PassedOn = { isElsewhere: boolean; reason: string }

const WENT_ON: ReadonlySet<ReportAction | null> = new Set(['delivered', 'relayed', 'expanded'])

/**
 * One of our mails has one recipient. A report of several, or of another than who was written to, shows that their
 * address exists and passes mail on: whoever is missing behind it, nothing is wrong with the address itself. Null where
 * the report is about the address `writtenTo`, or does not show that it is about another.
 */
export function passedOn(reading: BounceReading, writtenTo: string | null): PassedOn | null {
  const { recipients } = reading
  const failed = recipients.find(
    ({ address, kind }) => address === reading.recipient && kind === reading.kind,
  )
  if (!failed) return null
  const isOwn = ({ address }: ReportedRecipient): boolean =>
    writtenTo !== null && isSameMailbox(address, writtenTo)
  if (recipients.some((one) => one.kind === failed.kind && isOwn(one))) return null
  const isForwarded =
    failed.originalAddress !== null && !isSameMailbox(failed.originalAddress, failed.address)
  if (!isForwarded && recipients.every(({ address }) => isSameMailbox(address, failed.address))) return null
  const isElsewhere = recipients.some(({ action }) => WENT_ON.has(action))
  const sentence = isElsewhere
    ? `It went on to others behind this address, but did not reach ${failed.address}`
    : notThere(failed.address)
  return { isElsewhere, reason: `${sentence}: ${failed.reason}`.slice(0, REASON_MAX) }
}

export const notThere = (address: string): string => `It was passed on to ${address} and did not get there`

export const isSameMailbox = (one: string, other: string): boolean => mailboxKey(one) === mailboxKey(other)

/** What forwarders make of an address (SRS): the one it stands for is at the end. */
const REWRITTEN = /^srs[01][=+-].*=([^=@]+)=([^=@]+)@/i

/** Equal also for the forms into which servers rewrite an address on its way: in another case, without its `+tag`. */
function mailboxKey(address: string): string {
  const [, domain, local] = REWRITTEN.exec(address) ?? []
  const whole = domain && local ? `${local}@${domain}` : address
  const key = parseMailAddress(whole)?.key ?? addressKey(whole)
  return key.replace(/^([^+@]+)\+[^@]*@/, '$1@')
}
