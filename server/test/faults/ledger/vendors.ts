import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { startMailgunSimulator } from '../../simulators/mailgun.ts'
import { startResendSimulator } from '../../simulators/resend.ts'
import { startSendgridSimulator } from '../../simulators/sendgrid.ts'
import { startSesSimulator } from '../../simulators/ses.ts'
import { OWN_SETTINGS } from '../own-accounts.ts'
import type { HttpKind, Lie } from './protocol.ts'

export type Taken = { to: string; id: string; text: string }
export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** A simulator, and what the ledger in front of it has to know of its protocol. */
type Vendor = {
  url: URL
  /** Whether a request brings mail. */
  isSending(method: string, path: string): boolean
  /** The next call that brings mail meets this; a rate limit holds for so many seconds. */
  meetNext(lie: Lie | null, seconds: number): void
  /** All that was taken since the last time that this was asked. */
  takeNew(): Taken[]
  /** Whom a call is for, whether or not it is taken. */
  recipientsIn(body: Buffer, headers: IncomingHttpHeaders): Promise<string[]>
  /** The seconds that a refusal asks to wait for; null where it asks for nothing. */
  waitIn(answer: Answer): number | null
}

type When = 'before' | 'after'
type Faults<Fault> = {
  answer: (status: number, when: When) => Fault
  reset: (when: When) => Fault
  rateLimit: (seconds: number) => Fault
}
type Simulator<Mail, Fault> = {
  url: URL
  ledger: readonly Mail[]
  lieNext(...faults: (Fault | null)[]): void
}
type Protocol<Mail, Fault> = Pick<Vendor, 'recipientsIn' | 'waitIn'> & {
  path: RegExp
  read: (mail: Mail) => Taken
  faults: Faults<Fault>
}

function vendorOf<Mail, Fault>(
  { url, ledger, lieNext }: Simulator<Mail, Fault>,
  { path: sendingPath, read, faults, recipientsIn, waitIn }: Protocol<Mail, Fault>,
): Vendor {
  let seen = 0
  return {
    url,
    recipientsIn,
    waitIn,
    isSending: (method, path) => method === 'POST' && sendingPath.test(path),
    meetNext: (lie, seconds) => lieNext(lie && faultOf(lie, seconds, faults)),
    takeNew() {
      const fresh = ledger.slice(seen)
      seen += fresh.length
      return fresh.map(read)
    },
  }
}

function faultOf<Fault>(lie: Lie, seconds: number, faults: Faults<Fault>): Fault | null {
  switch (lie) {
    case 'rate-limit':
      return faults.rateLimit(seconds)
    case 'fail':
      return faults.answer(500, 'before')
    case 'refuse-for-now':
      return faults.answer(503, 'before')
    case 'accept-then-fail':
      return faults.answer(500, 'after')
    case 'accept-then-drop':
      return faults.reset('after')
    case 'drop-at-dot':
      return faults.reset('before')
    default:
      throw new Error(`nobody lies by HTTP like this: ${lie}`)
  }
}

const OUT_OF_ORDER = 'An unexpected error occurred.'
const reset = (when: When) => ({ kind: 'reset', when }) as const
const answer = (status: number, when: When) =>
  ({ kind: 'answer', status, message: OUT_OF_ORDER, when }) as const
const rateLimit = (retryAfter: number) => ({ kind: 'rate-limit', retryAfter }) as const
const addressIn = (mailbox: string): string => mailbox.match(/<([^>]+)>/)?.[1] ?? mailbox
const asJson = (body: Buffer): unknown => JSON.parse(body.toString('utf8'))

const ResendMails = z.union([
  z.array(z.object({ to: z.array(z.string()) })),
  z.object({ to: z.array(z.string()) }).transform((one) => [one]),
])
const SendgridMail = z.object({
  personalizations: z.array(z.object({ to: z.array(z.object({ email: z.string() })) })),
})
const SesMail = z.object({
  BulkEmailEntries: z.array(z.object({ Destination: z.object({ ToAddresses: z.array(z.string()) }) })),
})

const OPENERS: Record<HttpKind, () => Promise<Vendor>> = {
  resend: async () =>
    vendorOf(await startResendSimulator({ apiKey: 're_ledger' }), {
      path: /^\/emails(\/batch)?$/,
      read: ({ id, mail }) => ({ to: addressIn(mail.to[0] ?? ''), id, text: mail.text ?? '' }),
      faults: {
        answer: (status, when) => ({ ...answer(status, when), name: 'internal_server_error' }),
        reset,
        rateLimit,
      },
      recipientsIn: async (body) => ResendMails.parse(asJson(body)).flatMap(({ to }) => to.map(addressIn)),
      waitIn: ({ headers }) => (headers['retry-after'] ? Number(headers['retry-after']) : null),
    }),
  sendgrid: async () =>
    vendorOf(await startSendgridSimulator(OWN_SETTINGS.sendgrid), {
      path: /^\/v3\/mail\/send$/,
      read: ({ to, id }) => ({ to, id, text: '' }),
      faults: { answer, reset, rateLimit },
      recipientsIn: async (body) =>
        SendgridMail.parse(asJson(body)).personalizations.flatMap(({ to }) => to.map(({ email }) => email)),
      // The moment when calls are taken again, which stands beside every answer.
      waitIn: ({ status, headers }) =>
        status === 429 ? Number(headers['x-ratelimit-reset']) - Date.now() / 1000 : null,
    }),
  mailgun: async () =>
    vendorOf(await startMailgunSimulator(OWN_SETTINGS.mailgun), {
      path: /^\/v3\/[^/]+\/messages$/,
      read: ({ id, recipient }) => ({ to: recipient, id, text: '' }),
      faults: { answer, reset, rateLimit: (seconds) => ({ kind: 'rate-limit' as const, seconds }) },
      recipientsIn: async (body, headers) => {
        const type = { headers: { 'content-type': headers['content-type'] ?? '' } }
        const form = await new Response(new Uint8Array(body), type).formData()
        return form.getAll('to').map((to) => addressIn(String(to)))
      },
      waitIn: ({ body }) => {
        const seconds = /try again after (\d+) seconds/.exec(body.toString('utf8'))?.[1]
        return seconds === undefined ? null : Number(seconds)
      },
    }),
  ses: async () => {
    const { apiKey: accessKeyId, smtpPassword: secretAccessKey, smtpHost: region } = OWN_SETTINGS.ses
    return vendorOf(await startSesSimulator({ accessKeyId, secretAccessKey, region }), {
      path: /^\/v2\/email\/outbound-(bulk-)?emails$/,
      read: ({ id, mail }) => ({ to: addressIn(mail.to[0] ?? ''), id, text: '' }),
      faults: {
        answer: (status, when) => ({ ...answer(status, when), type: 'InternalServiceErrorException' }),
        reset,
        rateLimit: () => ({ kind: 'throttle' as const }),
      },
      recipientsIn: async (body) =>
        SesMail.parse(asJson(body)).BulkEmailEntries.flatMap(({ Destination }) =>
          Destination.ToAddresses.map(addressIn),
        ),
      // Amazon says that it was too fast, and not for how long; what it counts are the mails of a second.
      waitIn: ({ status }) => (status === 429 ? 1 : null),
    })
  },
}

export const openVendor = (kind: HttpKind): Promise<Vendor> => OPENERS[kind]()
