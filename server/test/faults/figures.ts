import { AHEAD_MAX } from '../../delivery/pace.ts'
/** I5: without a human step, everything is settled so long after the last fault. */
export const SETTLE_MS = 60_000

/** C of the SMTP path: 30 calls, and at most 200 deliveries that are put in flight ahead of them. */
export const IN_HAND_BY_SMTP = 30 + AHEAD_MAX

/** How long a claim outlives its worker. */
export const LEASE_MS = 10_000

/** Pause, resume and cancel are felt within this time. */
export const OBEY_MS = 2_000

export const secondsSince = (start: number): number => (performance.now() - start) / 1000
