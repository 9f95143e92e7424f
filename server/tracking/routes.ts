import type { FastifyRequest } from 'fastify'
import { AppError, nothingHere } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { createMemoryBudget, type MemoryShare } from '../platform/memory-budget.ts'
import { readWhole } from '../platform/whole-body.ts'
import { ReportingProvider, type Webhooks } from './webhooks.ts'

/** A thousand events take about half a megabyte. */
const BODY_LIMIT = 4 * 1024 * 1024
/** For all reports under way together. Most have less than a kilobyte. */
const ALL_BYTES = 8 * BODY_LIMIT
/** Less than the server waits for any request: all that is not taken in time is asked for again. */
const ARRIVAL_MS = 25_000

/** Providers report here what became of the mails; they prove themselves by signature, over the bytes as they came. */
export function trackingRoutes(app: Http, { webhooks }: { webhooks: Webhooks }): void {
  const memory = createMemoryBudget({ bytes: ALL_BYTES })

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Whatever it is called: SNS sends JSON as text/plain. Left where it is until it is known who calls.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))

    scope.post<{ Params: { provider: string; token: string } }>(
      '/api/webhooks/:provider/:token',
      { config: { access: 'public', allowForeignOrigin: true } },
      async (request, reply) => {
        const provider = ReportingProvider.safeParse(request.params.provider)
        if (!provider.success) throw nothingHere()
        // Only who knows an address of ours gets to fill any memory.
        const account = await webhooks.accountOf(provider.data, request.params.token)
        if (!account) throw forged()
        using share = memory.share(account.name)
        const body = await bodyOf(request, share)
        const reported = await webhooks.receive(account, { headers: request.headers, body, now: new Date() })
        if (reported === 'forged') throw forged()
        if (reported === 'untimely')
          throw new AppError(503, 'This report was signed in a time that is too far away; please try again')
        if (reported === 'not-confirmed')
          throw new AppError(502, 'The subscription could not be confirmed; please try again')
        return reply.type('text/plain').send('ok')
      },
    )
  })
}

const forged = (): AppError =>
  new AppError(401, 'This report is not signed by an account that Postrider knows')

async function bodyOf({ raw }: FastifyRequest, memory: MemoryShare): Promise<Buffer> {
  const body = await readWhole(raw, { most: BODY_LIMIT, memory, timeoutMs: ARRIVAL_MS })
  // Nobody waits for the rest of it.
  const headers = { connection: 'close' }
  if (body === 'too-large') throw new AppError(413, 'The request body is too large', { headers })
  if (body === 'too-slow')
    throw new AppError(503, 'The request did not arrive in time; please try again', { headers })
  if (body === 'cut-short') throw new AppError(400, 'The request did not arrive whole')
  return body
}
