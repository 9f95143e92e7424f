import { multipartBody, multipartType } from '../form-body.ts'
import { type ArrivedMail, bring, type Call, type MailInPieces, type Tries } from './brought-mail.ts'
import type { Signer } from './sendgrid-events.ts'

/** SendGrid's Inbound Parse. It always parts its form by the same boundary. */
const BOUNDARY = 'xYzZY'

/** The form that a mail makes: whole where the setting is "POST the raw, full MIME message", else in pieces. */
export function parseForm(mail: ArrivedMail | MailInPieces, { lineEnd = '\n' } = {}): Buffer {
  const envelope = JSON.stringify({ to: mail.to, from: mail.from })
  const common = [
    { name: 'SPF', content: 'pass' },
    { name: 'envelope', content: envelope },
    { name: 'sender_ip', content: '192.0.2.1' },
    { name: 'to', content: mail.to.join(', ') },
    { name: 'from', content: mail.from },
  ]
  if ('raw' in mail) return multipartBody([...common, { name: 'email', content: mail.raw }], BOUNDARY)
  const { headers, text, html, attachments = [] } = mail
  const info = attachments.map(({ name, type, contentId }, index) => [
    `attachment${index + 1}`,
    { filename: name, name, type, ...(contentId === undefined ? {} : { 'content-id': contentId }) },
  ])
  return multipartBody(
    [
      ...common,
      { name: 'headers', content: headers.map(([name, value]) => `${name}: ${value}${lineEnd}`).join('') },
      { name: 'subject', content: headers.find(([name]) => name === 'Subject')?.[1] ?? '' },
      // As the mail has it, whatever that is.
      { name: 'charsets', content: '{"to":"UTF-8","subject":"UTF-8","from":"UTF-8","text":"iso-8859-1"}' },
      ...(text ? [{ name: 'text', content: text }] : []),
      ...(html ? [{ name: 'html', content: html }] : []),
      { name: 'attachments', content: String(attachments.length) },
      { name: 'attachment-info', content: JSON.stringify(Object.fromEntries(info)) },
      ...attachments.map(({ name, type, content }, index) => ({
        name: `attachment${index + 1}`,
        filename: name,
        type,
        content,
      })),
    ],
    BOUNDARY,
  )
}

export const signedParse = (body: Buffer, signer: Signer, at = Date.now()): Call => ({
  body,
  headers: { ...signer.headersFor(body, at), 'content-type': multipartType(BOUNDARY) },
})

/** Tries again after 5xx and silence; after anything else the mail is dropped, and nobody is told. */
export const bringBySendgrid = (
  url: URL,
  mail: ArrivedMail | MailInPieces,
  signer: Signer,
): Promise<Tries> => {
  const body = parseForm(mail)
  return bring(url, () => signedParse(body, signer), {
    retries: (status) => status === null || status >= 500,
    retryMs: [20, 20],
  })
}
