import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { expand, RenderingFailure } from './ses-template.ts'

/** What Amazon SES takes as a mail, and what becomes of it. */

const Addresses = z.array(z.string()).optional()
const Destination = z.object({ ToAddresses: Addresses, CcAddresses: Addresses, BccAddresses: Addresses })
const TagPart = z.string().regex(/^[\w-]{1,256}$/)
const Tags = z.array(z.object({ Name: TagPart, Value: TagPart })).optional()
const Header = z
  .object({
    Name: z.string().regex(/^[!-9;-~]{1,126}$/),
    Value: z.string().regex(/^[ -~]{0,995}$/),
  })
  .refine(({ Name, Value }) => Name.length + Value.length <= 996, 'name and value are too long together')
const Headers = z.array(Header).max(15).optional()
const Data = z.string().max(262_144).optional()
const Part = z.object({ Data: z.string(), Charset: z.string().optional() })
const Sender = {
  FromEmailAddress: z.string().min(1),
  ReplyToAddresses: Addresses,
  ConfigurationSetName: z.string().optional(),
}
const Content = z.object({
  Subject: z.string().optional(),
  Text: z.string().optional(),
  Html: z.string().optional(),
})

export const BulkBody = z.object({
  ...Sender,
  DefaultEmailTags: Tags,
  DefaultContent: z.object({
    Template: z.object({ TemplateContent: Content, TemplateData: Data, Headers }),
  }),
  BulkEmailEntries: z
    .array(
      z.object({
        Destination,
        ReplacementTags: Tags,
        ReplacementEmailContent: z
          .object({ ReplacementTemplate: z.object({ ReplacementTemplateData: Data }).optional() })
          .optional(),
        ReplacementHeaders: Headers,
      }),
    )
    .min(1),
})
export type BulkBody = z.infer<typeof BulkBody>

export const SingleBody = z.object({
  ...Sender,
  Destination,
  EmailTags: Tags,
  Content: z.object({
    Simple: z.object({
      Subject: Part,
      Body: z.object({ Text: Part.optional(), Html: Part.optional() }),
      Headers,
    }),
  }),
})
export type SingleBody = z.infer<typeof SingleBody>

/** A mail as one recipient gets it. */
type SesMail = {
  from: string
  to: string[]
  replyTo: string[]
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  tags: Record<string, string>
}
type Fate =
  | 'delivered'
  | 'bounced'
  | 'complained'
  | 'suppressed'
  | 'away'
  /** Taken, and found to be no mail afterwards. */
  | 'not-rendered'
export type TakenMail = { id: string; mail: SesMail; fate: Fate }

export const recipientsIn = ({ ToAddresses, CcAddresses, BccAddresses }: z.infer<typeof Destination>) => [
  ...(ToAddresses ?? []),
  ...(CcAddresses ?? []),
  ...(BccAddresses ?? []),
]

export const addressIn = (mailbox: string): string => /<([^<>]*)>$/.exec(mailbox)?.[1] ?? mailbox

/** ASCII only, a domain of two words at least: that makes a bad recipient easy to come by. */
export const isAddress = (mailbox: string): boolean =>
  /^[ -~]+$/.test(mailbox) && /^[^\s<>@,]+@[^\s<>@,.]+(\.[^\s<>@,.]+)+$/.test(addressIn(mailbox))

export function mailsOfEntry(body: BulkBody, entry: BulkBody['BulkEmailEntries'][number]): TakenMail[] {
  const { TemplateContent, TemplateData, Headers: shared } = body.DefaultContent.Template
  const own = entry.ReplacementEmailContent?.ReplacementTemplate?.ReplacementTemplateData
  const base = {
    from: body.FromEmailAddress,
    replyTo: body.ReplyToAddresses ?? [],
    headers: { ...named(shared), ...named(entry.ReplacementHeaders) },
    tags: { ...named(body.DefaultEmailTags), ...named(entry.ReplacementTags) },
  }
  const people = recipientsIn(entry.Destination)
  try {
    const data = { ...objectIn(TemplateData), ...objectIn(own) }
    const content = {
      subject: expand(TemplateContent.Subject ?? '', data),
      text: expand(TemplateContent.Text ?? '', data),
      html: expand(TemplateContent.Html ?? '', data),
    }
    return taken({ ...base, ...content }, people)
  } catch (error) {
    if (!(error instanceof RenderingFailure)) throw error
    const nothing = { subject: '', text: error.message, html: '' }
    return taken({ ...base, ...nothing }, people).map((mail) => ({ ...mail, fate: 'not-rendered' }))
  }
}

export function mailsOfSingle(body: SingleBody): TakenMail[] {
  const { Subject, Body, Headers: headers } = body.Content.Simple
  const mail = {
    from: body.FromEmailAddress,
    replyTo: body.ReplyToAddresses ?? [],
    subject: Subject.Data,
    text: Body.Text?.Data ?? '',
    html: Body.Html?.Data ?? '',
    headers: named(headers),
    tags: named(body.EmailTags),
  }
  return taken(mail, recipientsIn(body.Destination))
}

/** All recipients of one mail share its id; each has a line of their own in the ledger. */
function taken(mail: Omit<SesMail, 'to'>, people: readonly string[]): TakenMail[] {
  const hex = randomBytes(16).toString('hex')
  const id = `0100${hex.slice(0, 12)}-${hex.slice(12, 20)}-${hex.slice(20)}-000000`
  return people.map((to) => ({ id, mail: { ...mail, to: [to] }, fate: fateOf(addressIn(to)) }))
}

const named = (list: readonly { Name: string; Value: string }[] = []): Record<string, string> =>
  Object.fromEntries(list.map(({ Name, Value }) => [Name, Value]))

function objectIn(text = '{}'): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new RenderingFailure('The rendering data is no JSON object.')
  }
}

const FATES: Readonly<Record<string, Fate>> = {
  bounce: 'bounced',
  bounced: 'bounced',
  complaint: 'complained',
  complained: 'complained',
  suppressionlist: 'suppressed',
  suppressed: 'suppressed',
  ooto: 'away',
}

/** Amazon's mailbox simulator, and the names that Resend has for the same; a label is allowed (`bounce+any@…`). */
function fateOf(address: string): Fate {
  const [, name = ''] =
    /^([a-z]+)(?:\+[^@]*)?@(?:simulator\.amazonses\.com|resend\.dev)$/i.exec(address) ?? []
  return (Object.hasOwn(FATES, name.toLowerCase()) && FATES[name.toLowerCase()]) || 'delivered'
}
