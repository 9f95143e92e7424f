import { z } from 'zod'

/** Counted by recipients. A rate is a percentage as text: "98.5", with more decimals only where they count: "0.04". */
const Rate = z.string().regex(/^\d+\.\d+$/)

export const Stats = z.object({
  /** The next four together: whoever was left out or cancelled was sent nothing. */
  total: z.number(),
  totalSent: z.number(),
  totalFailed: z.number(),
  totalPending: z.number(),
  /** Of these nobody knows whether the provider took them. */
  totalUnconfirmed: z.number(),
  totalSuppressed: z.number(),
  totalCancelled: z.number(),
  totalDelivered: z.number(),
  /** Some were counted when a plain SMTP server took them, which reports no deliveries. */
  isDeliveryPresumed: z.boolean(),
  totalBounced: z.number(),
  totalComplained: z.number(),
  totalOpened: z.number(),
  /** Sent, of all that are decided. */
  successRate: Rate,
  /** These four of all that were sent; opened of those that were delivered. */
  deliveryRate: Rate,
  bounceRate: Rate,
  spamRate: Rate,
  openRate: Rate,
})
export type Stats = z.infer<typeof Stats>

/** What delivered means where `isDeliveryPresumed`. */
export const PRESUMED_WORDS =
  'What went by plain SMTP, which reports no deliveries, counts as delivered once the mail server accepted it, unless it came back since.'

export const ACTIVITY_DAYS = 7

export const ActivityQuery = z.strictObject({
  /** Whose days are meant, for example Europe/Vienna; UTC where nothing is said. */
  timeZone: z.string().max(100).optional(),
})

/** The oldest day first, days without mail included. */
export const EmailActivity = z.array(
  z.object({
    /** Mon, Tue … */
    name: z.string(),
    sent: z.number(),
    date: z.iso.date(),
  }),
)
export type EmailActivity = z.infer<typeof EmailActivity>
