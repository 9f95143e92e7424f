import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, nothingHere } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import type { MemoryBudget, MemoryShare } from '../platform/memory-budget.ts'
import { readWhole } from '../platform/whole-body.ts'
import { type InboundWebhooks, ReceivingProvider } from './webhooks.ts'

/**
 * A mail comes whole with some, and is only told of, or is small, with others. SendGrid throws away for good what is
 * refused: more than the 30 MB that it lets a mail have, for the form around it.
 */
const BODY_LIMITS: Record<ReceivingProvider, number> = {
  sendgrid: 35_000_000,
  mailgun: 35_000_000,
  resend: 1_000_000,
  ses: 1_000_000,
}

/** Less than the server waits for any request: its own answer then, 408, would make SendGrid throw the mail away. */
const ARRIVAL_MS = 25_000

type Params = { provider: string; token: string }

type Needs = {
  inboundWebhooks: InboundWebhooks
  /** For all calls under way together. */
  memory: MemoryBudget
}

/** Providers bring here the mails that they have received; they prove themselves by signature, over the bytes as they came. */
export function inboundWebhookRoutes(app: Http, { inboundWebhooks, memory }: Needs): void {
  /** Only who knows an address of ours gets to fill any memory. */
  async function receive(request: FastifyRequest, reply: FastifyReply, { provider: name, token }: Params) {
    const provider = ReceivingProvider.safeParse(name)
    if (!provider.success) throw nothingHere()
    const account = await inboundWebhooks.accountOf(provider.data, token)
    if (!account) throw forged()
    using share = memory.share(account.userId ?? account.provider)
    const body = await bodyOf(request, BODY_LIMITS[provider.data], share)
    const call = { headers: request.headers, body, now: new Date() }
    const received = await inboundWebhooks.receive(account, call, share)
    if (received === 'forged') throw forged()
    if (received === 'untimely')
      throw new AppError(503, 'This call was signed in a time that is too far away; please try again')
    if (received === 'not-confirmed')
      throw new AppError(502, 'The subscription could not be confirmed; please try again')
    return reply.type('text/plain').send('ok')
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Left where it is until it is known who calls.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    const config = { access: 'public', allowForeignOrigin: true } as const

    scope.post<{ Params: Params }>('/api/inbound/:provider/:token', { config }, (request, reply) =>
      receive(request, reply, request.params),
    )
    // Mailgun brings a mail as it came only to an address that ends so.
    scope.post<{ Params: { token: string } }>(
      '/api/inbound/mailgun/:token/mime',
      { config },
      (request, reply) => receive(request, reply, { provider: 'mailgun', token: request.params.token }),
    )
  })
}

const forged = (): AppError => new AppError(401, 'This call is not signed by an account that Postrider knows')

async function bodyOf({ raw }: FastifyRequest, most: number, memory: MemoryShare): Promise<Buffer> {
  const body = await readWhole(raw, { most, memory, timeoutMs: ARRIVAL_MS })
  // Nobody waits for the rest of it.
  const headers = { connection: 'close' }
  if (body === 'too-large') throw new AppError(413, 'The request body is too large', { headers })
  if (body === 'too-slow')
    throw new AppError(503, 'The request did not arrive in time; please try again', { headers })
  if (body === 'cut-short') throw new AppError(400, 'The request did not arrive whole')
  return body
}
