import { z } from 'zod'
import { type Download, DownloadError } from '../platform/download.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { MemoryShare } from '../platform/memory-budget.ts'
import type { WebhookCall } from './events.ts'
import { createHttpApi } from './http-api.ts'
import { asJson } from './json.ts'
import { rebuiltSize } from './rebuilt-mail.ts'
import { addressesIn, forged, type InboundReading, UNKNOWN_SENDER } from './received.ts'
import { AttachmentList, ReceivedEmail, rebuiltFrom } from './resend-pieces.ts'
import { readResendCall } from './resend-signature.ts'

type Needs = {
  apiKey: string
  baseUrl: URL
  download: Download
  log: Log
}

/** The answer about a mail holds its texts too, and comes without being asked for room piece by piece. */
const ANSWER_MAX = 25_000_000
const MAIL_MAX = 25_000_000
/** Resend waits 15 seconds for an answer, and brings the mail again when there is none. */
const PATIENCE_MS = 12_000

/** Resend only tells that a mail has come; it is fetched when it is known that somebody here wants it. */
export function createResendInbound({ apiKey, baseUrl, download, log }: Needs) {
  const api = createHttpApi({
    vendor: 'Resend',
    baseUrl,
    headers: { authorization: `Bearer ${apiKey}` },
    secrets: [apiKey],
    answerMax: ANSWER_MAX,
  })

  async function ask<T>(path: string, form: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const { status, body, isTooLarge } = await api.ask(`emails/receiving/${path}`, {}, signal)
    if (isTooLarge) throw new DownloadError('What Resend answered is too large', { isTooLarge })
    const { data } = form.safeParse(body)
    if (status === 200 && data !== undefined) return data
    const said = status === 200 ? 'in another form' : (Refusal.safeParse(body).data?.message ?? '')
    throw new Error(api.answered(status, said))
  }

  /** Page after page: each begins behind the last of the one before. */
  async function* attachmentsOf(id: string, signal: AbortSignal) {
    for (let after = ''; ; ) {
      const page = await ask(`${id}/attachments?limit=100${after}`, AttachmentList, signal)
      yield* page.data
      if (!page.has_more) return
      const last = page.data.at(-1)?.id
      if (!last) throw new Error('Resend says that there are more attachments, and not behind which one')
      after = `&after=${encodeURIComponent(last)}`
    }
  }

  async function sourceOf(id: string, memory: MemoryShare, signal: AbortSignal): Promise<Buffer> {
    let left = MAIL_MAX
    async function part(url: string): Promise<Buffer> {
      const content = await download(new URL(url), { most: left, memory, signal })
      left -= content.length
      return content
    }
    // Otherwise the pictures would stand in the text as well.
    const email = await ask(`${id}?html_format=cid`, ReceivedEmail, signal)
    if (email.raw) return part(email.raw.download_url)
    const attachments = []
    if (email.attachments.length > 0)
      for await (const one of attachmentsOf(id, signal))
        attachments.push({ ...one, content: await part(one.download_url) })
    await memory.grow(rebuiltSize(MAIL_MAX - left))
    return rebuiltFrom(email, attachments)
  }

  async function fetchMail(id: string, memory: MemoryShare): Promise<Buffer | null> {
    try {
      // Waiting for room here is waiting too.
      const signal = AbortSignal.timeout(PATIENCE_MS)
      await memory.grow(ANSWER_MAX)
      return await sourceOf(id, memory, signal)
    } catch (error) {
      if (error instanceof DownloadError && error.isTooLarge) return null
      log.warn(
        { mail: id, err: error },
        'a received mail could not be fetched from Resend; it will come again',
      )
      // Where there is no room for it here, that is said.
      if (error instanceof AppError) throw error
      throw new AppError(502, 'This mail cannot be fetched at the moment', { cause: error })
    }
  }

  return (call: WebhookCall, secrets: string): InboundReading => {
    const genuine = readResendCall(call, secrets)
    if (typeof genuine === 'string') return forged(genuine)
    const { data } = Notice.safeParse(asJson(call.body))
    // Whatever else Resend reports belongs to the other address.
    if (!data) return { kind: 'nothing', why: null }
    const { email_id: id, from, to, cc, bcc, received_for: receivedFor } = data.data
    return {
      kind: 'mail',
      mail: {
        from: addressesIn(from)[0] ?? UNKNOWN_SENDER,
        to: receivedFor.length > 0 ? receivedFor : [...to, ...cc, ...bcc].flatMap(addressesIn),
        keptAs: id,
        source: (memory) => fetchMail(id, memory),
        proof: null,
      },
    }
  }
}

const Addresses = z.array(z.string()).catch([])
const Notice = z.object({
  type: z.literal('email.received'),
  data: z.object({
    // It becomes part of an address that is called.
    email_id: z.string().regex(/^[\w-]{1,100}$/),
    from: z.string().catch(''),
    to: Addresses,
    cc: Addresses,
    bcc: Addresses,
    received_for: Addresses,
  }),
})
const Refusal = z.object({ message: z.string() })
