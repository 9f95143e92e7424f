import { z } from 'zod'

/** What the browser must know of this installation before anyone signs in. */
export const Instance = z.object({
  /** Path of the local mailbox page while it stands in for a mail provider, else null. */
  localMailbox: z.string().nullable(),
  /** The product's fixed sending address. */
  mailFrom: z.string(),
  /** Whether mails of this installation may tell when they are read; each user may still do without. */
  tracksOpens: z.boolean(),
})
export type Instance = z.infer<typeof Instance>
