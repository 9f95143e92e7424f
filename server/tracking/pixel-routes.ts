import type { DeliveryTokens } from '../delivery/tokens.ts'
import type { Http } from '../platform/http/http.ts'
import type { Opens } from './opens.ts'

/** One transparent point, 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

type Needs = { opens: Pick<Opens, 'note'>; tokens: Pick<DeliveryTokens, 'readLinkToken'> }

/** The picture that nobody sees. It is always there, at once: a mail program shows a hole for any other answer. */
export function pixelRoutes(app: Http, { opens, tokens }: Needs): void {
  app.get<{ Params: { token: string } }>(
    '/t/:token.gif',
    { config: { access: 'public' } },
    (request, reply) => {
      const delivery = tokens.readLinkToken(request.params.token)
      // Who asks for the head only does not show the picture to anybody.
      if (delivery && request.method === 'GET')
        opens.note(delivery, { at: new Date(), userAgent: request.headers['user-agent'] ?? '' })
      return (
        reply
          .header('cache-control', 'no-store, private')
          // It stands in other people's pages.
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('x-robots-tag', 'noindex')
          .type('image/gif')
          .send(PIXEL)
      )
    },
  )
}
