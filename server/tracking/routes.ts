import { AppError, nothingHere } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { ReportingProvider, type Webhooks } from './webhooks.ts'

/** A thousand events take about half a megabyte. */
const BODY_LIMIT = 4 * 1024 * 1024

/** Providers report here what became of the mails; they prove themselves by signature, over the bytes as they came. */
export function trackingRoutes(app: Http, { webhooks }: { webhooks: Webhooks }): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Whatever it is called: SNS sends JSON as text/plain.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post<{ Params: { provider: string; token: string }; Body: Buffer | undefined }>(
      '/api/webhooks/:provider/:token',
      { bodyLimit: BODY_LIMIT, config: { access: 'public', allowForeignOrigin: true } },
      async (request, reply) => {
        const provider = ReportingProvider.safeParse(request.params.provider)
        if (!provider.success) throw nothingHere()
        const reported = await webhooks.receive(provider.data, request.params.token, {
          headers: request.headers,
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          now: new Date(),
        })
        if (reported === 'forged')
          throw new AppError(401, 'This report is not signed by an account that Postrider knows')
        if (reported === 'not-confirmed')
          throw new AppError(502, 'The subscription could not be confirmed; please try again')
        return reply.type('text/plain').send('ok')
      },
    )
  })
}
