import { AHEAD_MAX } from '../../delivery/pace.ts'
import { type Moment, millisecondsSince } from '../machine-clock.ts'
import type { LedgerKind } from './ledger/protocol.ts'
import { CALLS_UNDER_WAY, MAILS_OF_A_CALL, type OwnKind } from './own-accounts.ts'

/** I5: without a human step, everything is settled so long after the last fault. */
export const SETTLE_MS = 60_000

/** C of the SMTP path: 30 calls, and at most 200 deliveries that are put in flight ahead of them. */
export const IN_HAND_BY_SMTP = 30 + AHEAD_MAX

const inHandBy = (kind: OwnKind): number => CALLS_UNDER_WAY[kind] * MAILS_OF_A_CALL[kind] + AHEAD_MAX

/** C: the mails that one kill may leave in doubt. Resend takes a repetition for what it is. */
export const IN_HAND: Record<LedgerKind, number> = {
  smtp: IN_HAND_BY_SMTP,
  resend: 0,
  sendgrid: inHandBy('sendgrid'),
  mailgun: inHandBy('mailgun'),
  ses: inHandBy('ses'),
}

/** How long a claim outlives its worker. */
export const LEASE_MS = 10_000

/** Pause, resume and cancel are felt within this time. */
export const OBEY_MS = 2_000

/** One call at every provider: Amazon takes no more at once, and the others are sent campaigns of this size. */
export const MAILS_A_CALL = 50

export const secondsSince = (start: Moment): number => millisecondsSince(start) / 1000

/** In milliseconds; for what is compared with times that were noted by the clock on the wall. */
export async function wallTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
