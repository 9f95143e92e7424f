import { z } from 'zod'
import { type Download, DownloadError } from '../platform/download.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { MemoryShare } from '../platform/memory-budget.ts'
import type { WebhookCall } from './events.ts'
import { createHttpApi } from './http-api.ts'
import { addressesIn, forged, type InboundReading } from './received.ts'
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

  /** Where the mail lies, as it came. */
  async function placeOf(id: string, signal: AbortSignal): Promise<URL> {
    const answer = await api.ask(`emails/receiving/${id}`, {}, signal)
    const { data } = Answer.safeParse(answer.body)
    if (answer.status === 200 && data && URL.canParse(data.raw.download_url))
      return new URL(data.raw.download_url)
    const said = Refusal.safeParse(answer.body).data?.message ?? ''
    throw new Error(api.answered(answer.status, answer.status === 200 ? 'no mail to download' : said))
  }

  async function fetchMail(id: string, memory: MemoryShare): Promise<Buffer | null> {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    await memory.grow(ANSWER_MAX)
    try {
      return await download(await placeOf(id, signal), { most: MAIL_MAX, memory, signal })
    } catch (error) {
      if (error instanceof AppError) throw error
      if (error instanceof DownloadError && error.isTooLarge) return null
      log.warn(
        { mail: id, err: error },
        'a received mail could not be fetched from Resend; it will come again',
      )
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
        from: addressesIn(from)[0] ?? '',
        to: receivedFor.length > 0 ? receivedFor : [...to, ...cc, ...bcc].flatMap(addressesIn),
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
const Answer = z.object({ raw: z.object({ download_url: z.string() }) })
const Refusal = z.object({ message: z.string() })

function asJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
