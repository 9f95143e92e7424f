import { z } from 'zod'

/** What Resend takes as one mail, and what becomes of it. */

export type Answer = { status: number; body: unknown }

export const fault = (status: number, name: string, message: string): Answer => ({
  status,
  body: { statusCode: status, name, message },
})

const ADDRESS = /^(?:[^<>]*<)?[^\s<>@,]+@[^\s<>@,]+>?$/
const Address = z.string().regex(ADDRESS)
/** A domain of one word is refused, as Resend does; that makes a bad recipient easy to come by. */
const Recipient = Address.regex(/@[^@]+\.[^@]+$/)
const TagPart = z.string().regex(/^[\w-]{1,256}$/)

export const MailBody = z.object({
  from: Address,
  to: z.union([Recipient.transform((one) => [one]), z.array(Recipient).min(1).max(50)]),
  reply_to: z.union([Address.transform((one) => [one]), z.array(Address)]).optional(),
  subject: z.string(),
  html: z.string().optional(),
  text: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  tags: z.array(z.object({ name: TagPart, value: TagPart })).optional(),
})
export type Mail = z.infer<typeof MailBody>

type Fate = 'delivered' | 'bounced' | 'complained' | 'suppressed'
export type TakenMail = { id: string; idempotencyKey: string | null; mail: Mail; fate: Fate }

/** Resend's test addresses; all but the last take a label (`bounced+anything@resend.dev`). */
const TEST_ADDRESS = /(?:^|<)(?:(delivered|bounced|complained)(?:\+[^@]*)?|(suppressed))@resend\.dev>?$/i

function fateOf(recipient: string): Fate {
  const match = TEST_ADDRESS.exec(recipient)
  const name = (match?.[1] ?? match?.[2])?.toLowerCase()
  return name === 'bounced' || name === 'complained' || name === 'suppressed' ? name : 'delivered'
}

export const takeMail = (mail: Mail): { mail: Mail; fate: Fate } => ({ mail, fate: fateOf(mail.to[0] ?? '') })

/** Permissive: the good ones of a batch are taken, and the others named. */
export function acceptBatch(
  items: readonly unknown[],
  permissive: boolean,
  keep: (mails: readonly Mail[]) => { id: string }[],
): Answer {
  const read = items.map((item) => MailBody.safeParse(item))
  const errors = read.flatMap(({ error }, index) => (error ? [{ index, message: describe(error) }] : []))
  if (errors[0] && !permissive) return fault(422, 'validation_error', errors[0].message)
  const data = keep(read.flatMap((mail) => (mail.success ? [mail.data] : [])))
  return { status: 200, body: permissive ? { data, errors } : { data } }
}

export const describe = (error: { issues: { path: PropertyKey[]; message: string }[] }): string =>
  `The \`${error.issues[0]?.path.map(String).join('.') ?? ''}\` field is invalid: ${error.issues[0]?.message ?? ''}`
