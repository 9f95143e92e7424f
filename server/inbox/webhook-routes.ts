import type { FastifyReply, FastifyRequest } from 'fastify'
import { nothingHere } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { bodyOf, forged, requireStored, SIGNED, signedCalls } from '../platform/http/signed-calls.ts'
import type { MemoryBudget } from '../platform/memory-budget.ts'
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

type Params = { provider: string; token: string }

type Needs = {
  inboundWebhooks: InboundWebhooks
  /** For all calls under way together. */
  memory: MemoryBudget
}

/** Providers bring here the mails that they have received. */
export function inboundWebhookRoutes(app: Http, { inboundWebhooks, memory }: Needs): void {
  /** Only who knows an address of ours gets to fill any memory. */
  async function receive(request: FastifyRequest, reply: FastifyReply, { provider: name, token }: Params) {
    const provider = ReceivingProvider.safeParse(name)
    if (!provider.success) throw nothingHere()
    const account = await inboundWebhooks.accountOf(provider.data, token)
    if (!account) throw forged('call')
    using share = memory.share(account.userId ?? account.provider)
    const body = await bodyOf(request, BODY_LIMITS[provider.data], share)
    const call = { headers: request.headers, body, now: new Date() }
    requireStored(await inboundWebhooks.receive(account, call, share), 'call')
    return reply.type('text/plain').send('ok')
  }

  signedCalls(app, (scope) => {
    scope.post<{ Params: Params }>('/api/inbound/:provider/:token', { config: SIGNED }, (request, reply) =>
      receive(request, reply, request.params),
    )
    // Mailgun brings a mail as it came only to an address that ends so.
    scope.post<{ Params: { token: string } }>(
      '/api/inbound/mailgun/:token/mime',
      { config: SIGNED },
      (request, reply) => receive(request, reply, { provider: 'mailgun', token: request.params.token }),
    )
  })
}
