import { createHmac, randomBytes } from 'node:crypto'
import { type FormField, multipartBody, multipartType, urlEncodedBody } from '../form-body.ts'
import { type ArrivedMail, bring, type Call, type MailInPieces, type Tries } from './brought-mail.ts'

/** What a route of Mailgun forwards; with files as multipart, else in the short way. */

type Proof = { signingKey: string; at?: number; token?: string }

function signed({
  signingKey,
  at = Date.now(),
  token = randomBytes(25).toString('hex'),
}: Proof): FormField[] {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', signingKey).update(`${timestamp}${token}`).digest('hex')
  return Object.entries({ timestamp, token, signature }).map(([name, content]) => ({ name, content }))
}

/** Whole only for an address that ends in `mime`. */
export function routeCall(mail: ArrivedMail | MailInPieces, proof: Proof): Call {
  const common = [
    { name: 'recipient', content: mail.to.join(', ') },
    { name: 'sender', content: mail.from },
    ...signed(proof),
  ]
  if ('raw' in mail) return short([...common, { name: 'body-mime', content: mail.raw }])
  const { headers, text, html, attachments = [] } = mail
  const files = attachments.map(({ name, type, content }, index) => ({
    name: `attachment-${index + 1}`,
    filename: name,
    type,
    content,
  }))
  const ids = attachments.flatMap(({ contentId }, index) =>
    contentId === undefined ? [] : [[`<${contentId}>`, `attachment-${index + 1}`]],
  )
  const fields = [
    ...common,
    ...headers.map(([name, content]) => ({ name, content })),
    { name: 'message-headers', content: JSON.stringify(headers) },
    ...(text ? [{ name: 'body-plain', content: text }] : []),
    ...(html ? [{ name: 'body-html', content: html }] : []),
    { name: 'attachment-count', content: String(files.length) },
    { name: 'content-id-map', content: JSON.stringify(Object.fromEntries(ids)) },
  ]
  if (files.length === 0) return short(fields)
  const boundary = randomBytes(16).toString('hex')
  return {
    body: multipartBody([...fields, ...files], boundary),
    headers: { 'content-type': multipartType(boundary) },
  }
}

const short = (fields: readonly FormField[]): Call => ({
  body: urlEncodedBody(fields),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** 200 is done, 406 is given up, all else comes again. */
export const bringByMailgun = (
  url: URL,
  mail: ArrivedMail | MailInPieces,
  signingKey: string,
): Promise<Tries> =>
  bring(url, () => routeCall(mail, { signingKey }), {
    retries: (status) => status !== 406,
    retryMs: [20, 20],
  })
