import { z } from 'zod'

/** What SendGrid takes as a call, what it objects to, and what becomes of each mail. */

type Complaint = { message: string; field: string | null; help: null }
export type Answer = { status: number; body: unknown; headers?: Record<string, string> }

export const refusal = (status: number, message: string, field: string | null = null): Answer => ({
  status,
  body: { errors: [{ message, field, help: null } satisfies Complaint] },
})

const RECIPIENTS_MAX = 1000
const CUSTOM_ARGS_MAX = 10_000
const RESERVED = new Set(
  'x-sg-id x-sg-eid received dkim-signature content-type content-transfer-encoding to from subject reply-to cc bcc'.split(
    ' ',
  ),
)

/** A domain of one word is refused; that makes a bad recipient easy to come by. */
const ADDRESS = /^[!-~]+@[\w-]+(?:\.[\w-]+)+$/
const Address = z.string().regex(ADDRESS, 'Does not contain a valid address.')
const Sender = z.strictObject({ email: Address, name: z.string().optional() })
const Recipient = z.strictObject({
  email: Address,
  name: z
    .string()
    .regex(/^[^,;]*$/, 'The name must not contain a comma or a semicolon.')
    .optional(),
})
const Headers = z
  .record(z.string(), z.string().regex(/^[ -~]*$/, 'The header must be encoded.'))
  .refine((headers) => Object.keys(headers).every((name) => !RESERVED.has(name.toLowerCase())), {
    message: 'One or more of the headers is reserved.',
  })
const CustomArgs = z
  .record(z.string(), z.string())
  .refine((args) => Buffer.byteLength(JSON.stringify(args)) < CUSTOM_ARGS_MAX, 'Custom args are too long.')
const Switch = z.strictObject({ enable: z.boolean() })

const Personalization = z
  .strictObject({
    to: z.array(Recipient).min(1, 'The to array is required, and must have at least one email object.'),
    cc: z.array(Recipient).optional(),
    bcc: z.array(Recipient).optional(),
    subject: z.string().min(1).optional(),
    headers: Headers.optional(),
    custom_args: CustomArgs.optional(),
    substitutions: z.record(z.string(), z.string()).optional(),
    send_at: z.int().optional(),
  })
  .refine(
    (one) =>
      new Set(recipientsOf(one).map(({ email }) => email.toLowerCase())).size === recipientsOf(one).length,
    {
      message: 'Each email address in the personalization block should be unique between to, cc, and bcc.',
    },
  )

export const MailBody = z.strictObject({
  personalizations: z
    .array(Personalization)
    .min(1, 'The personalizations field is required and must have at least one personalization.')
    .max(RECIPIENTS_MAX, `There are more than ${RECIPIENTS_MAX} personalizations.`)
    .refine((all) => all.flatMap(recipientsOf).length <= RECIPIENTS_MAX, {
      message: `There are more than ${RECIPIENTS_MAX} recipients.`,
    }),
  from: Sender,
  reply_to: Sender.optional(),
  subject: z.string().min(1, 'The subject is required.'),
  content: z
    .array(
      z.strictObject({
        type: z.string().min(1),
        value: z.string().min(1, 'The content value must be a string at least one character in length.'),
      }),
    )
    .min(1, 'There must be at least one content.')
    .refine(([first, ...others]) => !first || others.every(({ type }) => type !== 'text/plain'), {
      message: 'If present, text/plain must be first, followed by text/html.',
    }),
  headers: Headers.optional(),
  custom_args: CustomArgs.optional(),
  categories: z.array(z.string().max(255)).max(10).optional(),
  tracking_settings: z
    .strictObject({
      click_tracking: Switch.extend({ enable_text: z.boolean().optional() }).optional(),
      open_tracking: Switch.optional(),
      subscription_tracking: Switch.optional(),
      ganalytics: Switch.optional(),
    })
    .optional(),
  mail_settings: z.strictObject({ sandbox_mode: Switch.optional() }).optional(),
})
type Mail = z.infer<typeof MailBody>

function recipientsOf({
  to,
  cc = [],
  bcc = [],
}: {
  to: Recipient[]
  cc?: Recipient[] | undefined
  bcc?: Recipient[] | undefined
}) {
  return [...to, ...cc, ...bcc]
}
type Recipient = z.infer<typeof Recipient>

/** All that is wrong, each with the name of its field as SendGrid writes it: `personalizations.3.to.0.email`. */
export const complaintsOf = (error: z.ZodError): Answer => ({
  status: 400,
  body: {
    errors: error.issues.map(
      ({ path, message }): Complaint => ({ message, field: path.map(String).join('.') || null, help: null }),
    ),
  },
})

const FATES = [
  'delivered',
  'bounced',
  'blocked',
  'complained',
  'suppressed',
  'deferred',
  'opened',
  'clicked',
  'unsubscribed',
] as const
export type Fate = (typeof FATES)[number]

/** The local parts of Resend's test addresses and a few more, at any domain, with or without a label. */
function fateOf(address: string): Fate {
  const local = address.slice(0, address.lastIndexOf('@')).replace(/\+.*$/, '').toLowerCase()
  return FATES.find((fate) => fate === local) ?? 'delivered'
}

/** One recipient's mail. */
export type TakenMail = {
  /** What events call `sg_message_id`; it begins with the id of the call. */
  id: string
  callId: string
  to: string
  name: string
  subject: string
  /** The letter's and the recipient's own. */
  headers: Record<string, string>
  customArgs: Record<string, string>
  /** What is written over what in its subject and text. */
  substitutions: Record<string, string>
  fate: Fate
  /** What all recipients of the call share; too long to be written down for each of them. */
  letter: Omit<Mail, 'personalizations'>
}

export function takeMails({ personalizations, ...letter }: Mail, callId: string): TakenMail[] {
  return personalizations.flatMap((own, index) =>
    recipientsOf(own).map(({ email, name = '' }, at) => ({
      id: `${callId}.simulator-${index}.${at}`,
      callId,
      to: email,
      name,
      subject: own.subject ?? letter.subject,
      headers: { ...letter.headers, ...own.headers },
      customArgs: { ...letter.custom_args, ...own.custom_args },
      substitutions: own.substitutions ?? {},
      fate: fateOf(email),
      letter,
    })),
  )
}
