import { z } from 'zod'

/** What the browser must know of this installation before anyone signs in. */
export const Instance = z.object({
  /** Path of the local mailbox page while it stands in for a mail provider and may be read, else null. */
  localMailbox: z.string().nullable(),
  /** Whether mail of its own account stays in the local mailbox, readable or not, and reaches nobody. */
  keepsMail: z.boolean(),
  /** The product's fixed sending address. */
  mailFrom: z.string(),
  /** Whether mails of this installation may tell when they are read; each user may still do without. */
  tracksOpens: z.boolean(),
})
export type Instance = z.infer<typeof Instance>
