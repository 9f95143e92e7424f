import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type ArrivedMail, bring, type Call, type Tries } from './brought-mail.ts'
import { type Answer, fault } from './resend-mail.ts'

/** Once: what the next question for a mail, or the next download of one, meets instead. */
type ReceivingFault =
  | { at: 'question' | 'download'; status: number }
  | { at: 'download'; redirect: string }
  /** So many bytes are told of, and none comes. */
  | { at: 'download'; told: number }

export type ResendReceiving = {
  /** The secret of the webhook. */
  secret: string
  /** Questions and downloads that were met, by path without the query. */
  visits: readonly string[]
  /** A mail has arrived: it is kept, and told of until that is taken. */
  receive(mail: ArrivedMail, webhook: URL): Promise<Tries>
  /** The call that tells of it, for whoever wants to change it on the way. */
  notice(mail: ArrivedMail, options?: { at?: number; secret?: string; id?: string }): Call
  /** Anything else that Resend could say. */
  signed(body: Buffer): Call
  failNext(...faults: ReceivingFault[]): void
  /** From now on mails are not kept as they came, and are given in these pieces only. */
  onlyInPieces(pieces: Pieces | null): void
  /** Null for what is no matter of received mail. */
  answer(path: string): Answer | null
  /** What lies under an address that needs no key. */
  download(
    path: string,
  ): { status: number; body: string | Buffer | null; headers?: Record<string, string> } | null
}

type Pieces = {
  headers: Record<string, string>
  text: string | null
  html: string | null
  attachments: readonly {
    filename: string
    content_type: string
    content_id: string | null
    content: Buffer
  }[]
}

const NOTHING: Pieces = { headers: {}, text: null, html: null, attachments: [] }
const soon = (): string => new Date(Date.now() + 3_600_000).toISOString()

/** The receiving side of Resend: it tells of a mail, and gives it to who asks for it. */
export function createReceiving(origin: () => string): ResendReceiving {
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  const mails = new Map<string, ArrivedMail>()
  const faults: ReceivingFault[] = []
  const visits: string[] = []
  let pieces: Pieces | null = null

  function lieAt(at: ReceivingFault['at']): ReceivingFault | null {
    const [next] = faults
    return next?.at === at ? (faults.shift() ?? null) : null
  }

  const files = (id: string) =>
    (pieces ?? NOTHING).attachments.map(({ content, ...about }, index) => ({
      ...about,
      id: `file-${index}`,
      size: content.length,
      download_url: `${origin()}/raw/${id}/${index}?signature=x`,
      expires_at: soon(),
    }))

  function keep(mail: ArrivedMail): string {
    const id = randomUUID()
    mails.set(id, mail)
    return id
  }

  function tell(id: string, { from, to }: ArrivedMail): Buffer {
    const about = { email_id: id, from, to, cc: [], bcc: [], received_for: to, subject: 'x', attachments: [] }
    return Buffer.from(
      JSON.stringify({ type: 'email.received', created_at: new Date().toISOString(), data: about }),
    )
  }

  function sign(
    body: Buffer,
    { at = Date.now(), secret: by = secret, id = `msg_${randomUUID()}` } = {},
  ): Call {
    const timestamp = String(Math.floor(at / 1000))
    const key = Buffer.from(by.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    const headers = { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
    return { body, headers: { 'content-type': 'application/json', ...headers } }
  }

  return {
    secret,
    visits,
    async receive(mail, webhook) {
      const body = tell(keep(mail), mail)
      const id = `msg_${randomUUID()}`
      return bring(webhook, () => sign(body, { id }), { retries: () => true, retryMs: [20, 20, 20] })
    },
    notice: (mail, options) => sign(tell(keep(mail), mail), options),
    signed: (body) => sign(body),
    failNext: (...next) => void faults.push(...next),
    onlyInPieces: (next) => {
      pieces = next
    },
    answer(path) {
      const [, id, list, limit, after] =
        /^\/emails\/receiving\/([\w-]+)(\/attachments\?limit=(\d+)(?:&after=([\w-]+))?)?(?:\?html_format=cid)?$/.exec(
          path,
        ) ?? []
      if (id === undefined) return null
      visits.push(path.replace(/\?.*/, ''))
      const lie = lieAt('question')
      if (lie && 'status' in lie) return fault(lie.status, 'application_error', 'Something went wrong')
      const mail = mails.get(id)
      if (!mail) return fault(404, 'not_found', 'Email not found')
      if (list !== undefined) {
        const all = files(id)
        const from = all.findIndex((one) => one.id === after) + 1
        const data = all.slice(from, from + Number(limit))
        return {
          status: 200,
          body: { object: 'list', has_more: from + data.length < all.length, data },
        }
      }
      const { headers, text, html, attachments } = pieces ?? NOTHING
      const body = {
        object: 'email',
        ...{ id, from: mail.from, to: mail.to, subject: 'x', message_id: '<x@x.test>', headers, text, html },
        attachments: attachments.map(({ content, ...about }) => ({ ...about, size: content.length })),
        raw: pieces ? null : { download_url: `${origin()}/raw/${id}?signature=x`, expires_at: soon() },
      }
      return { status: 200, body }
    },
    download(path) {
      const [, id, file] = /^\/raw\/([\w-]+)(?:\/(\d+))?\?signature=x$/.exec(path) ?? []
      if (id === undefined) return null
      visits.push(path.replace(/\?.*/, ''))
      const lie = lieAt('download')
      if (lie && 'redirect' in lie) return { status: 302, body: '', headers: { location: lie.redirect } }
      if (lie && 'told' in lie)
        return { status: 200, body: null, headers: { 'content-length': String(lie.told) } }
      if (lie) return { status: lie.status, body: '' }
      const content = file === undefined ? mails.get(id)?.raw : pieces?.attachments[Number(file)]?.content
      return content ? { status: 200, body: content } : { status: 404, body: '' }
    },
  }
}
