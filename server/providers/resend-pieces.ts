import { z } from 'zod'
import { rebuildMail } from './rebuilt-mail.ts'

// Read leniently: a field that is missing or of another kind is as good as empty.
const Text = z.string().nullable().catch(null)

/** What Resend tells of a mail that it has received. `raw`: where it lies as it came, which it need not. */
export const ReceivedEmail = z.object({
  id: z.string(),
  from: Text,
  to: z.array(z.string()).catch([]),
  subject: Text,
  message_id: Text,
  html: Text,
  text: Text,
  headers: z.record(z.string(), z.unknown()).catch({}),
  raw: z.object({ download_url: z.url() }).nullable().catch(null),
  attachments: z.array(z.unknown()).catch([]),
})
export type ReceivedEmail = z.infer<typeof ReceivedEmail>

export const AttachmentList = z.object({
  has_more: z.boolean().catch(false),
  data: z.array(
    z.object({ id: Text, filename: Text, content_type: Text, content_id: Text, download_url: z.url() }),
  ),
})
type Attachment = z.infer<typeof AttachmentList>['data'][number] & { content: Buffer }

/** The mail put together from what Resend has taken apart. */
export function rebuiltFrom(email: ReceivedEmail, attachments: readonly Attachment[]): Promise<Buffer> {
  const told = {
    From: email.from,
    To: email.to.join(', '),
    Subject: email.subject,
    'Message-ID': email.message_id,
  }
  const names = new Set(Object.keys(email.headers).map((name) => name.toLowerCase()))
  const missing = Object.entries(told).filter(([name]) => !names.has(name.toLowerCase()))
  return rebuildMail({
    headers: [...missing, ...Object.entries(email.headers)].flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
    ),
    bodies: (['text', 'html'] as const).flatMap((kind) => {
      const type = kind === 'text' ? ('text/plain' as const) : ('text/html' as const)
      return email[kind] ? [{ type, charset: 'utf-8', content: Buffer.from(email[kind]) }] : []
    }),
    attachments: attachments.map(({ filename, content_type: type, content_id: id, content }) => ({
      name: filename,
      type,
      contentId: id === null ? null : id.replace(/^<|>$/g, ''),
      content,
    })),
  })
}
