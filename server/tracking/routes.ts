import { nothingHere } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { bodyOf, forged, requireStored, SIGNED, signedCalls } from '../platform/http/signed-calls.ts'
import { createMemoryBudget } from '../platform/memory-budget.ts'
import { ReportingProvider, type Webhooks } from './webhooks.ts'

/** A thousand events take about half a megabyte. */
const BODY_LIMIT = 4 * 1024 * 1024
/** For all reports under way together. Most have less than a kilobyte. */
const ALL_BYTES = 8 * BODY_LIMIT

/** Providers report here what became of the mails. */
export function trackingRoutes(app: Http, { webhooks }: { webhooks: Webhooks }): void {
  const memory = createMemoryBudget({ bytes: ALL_BYTES })

  signedCalls(app, (scope) => {
    scope.post<{ Params: { provider: string; token: string } }>(
      '/api/webhooks/:provider/:token',
      { config: SIGNED },
      async (request, reply) => {
        const provider = ReportingProvider.safeParse(request.params.provider)
        if (!provider.success) throw nothingHere()
        // Only who knows an address of ours gets to fill any memory.
        const account = await webhooks.accountOf(provider.data, request.params.token)
        if (!account) throw forged('report')
        using share = memory.share(account.userId ?? account.provider)
        const body = await bodyOf(request, BODY_LIMIT, share)
        const call = { headers: request.headers, body, now: new Date() }
        requireStored(await webhooks.receive(account, call), 'report')
        return reply.type('text/plain').send('ok')
      },
    )
  })
}
