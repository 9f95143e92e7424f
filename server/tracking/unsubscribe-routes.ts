import type { FastifyReply } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import type { Subscriber, Unsubscribing } from './unsubscribe.ts'
import { type Deed, PAGE_POLICY, renderSubscriber, renderUnknown } from './unsubscribe-page.ts'

/** What a mail program or our own form sends takes a few hundred bytes. */
const BODY_LIMIT = 4 * 1024

type Params = { Params: { token: string } }

/**
 * Where every campaign's mails can be left: by a person, on a page, or by a mail program that does it for its user
 * (RFC 8058). Scanners follow every link of a mail, so looking changes nothing; only a POST that says so does.
 */
export function unsubscribeRoutes(app: Http, { unsubscribing }: { unsubscribing: Unsubscribing }): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', async (_request, reply) => {
      // The address is a secret of whoever has the mail.
      reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' })
    })

    scope.get<Params>('/u/:token', { config: { access: 'public' } }, async (request, reply) => {
      const { token } = request.params
      return show(reply, await unsubscribing.find(token), token, null)
    })

    scope.post<Params & { Body: unknown }>(
      '/u/:token',
      // Whoever has the token has the mail; a mail program has neither our cookie nor our origin.
      { bodyLimit: BODY_LIMIT, config: { access: 'public', allowForeignOrigin: true } },
      async (request, reply) => {
        const { token } = request.params
        const wish = await wishOf(request.headers['content-type'], request.body)
        if (wish === 'undo') return show(reply, await unsubscribing.undo(token), token, 'undo')
        const left = await unsubscribing.unsubscribe(token)
        if (!left || wish === 'unsubscribe') return show(reply, left, token, 'unsubscribe')
        return reply.type('text/plain; charset=utf-8').send('You are unsubscribed.')
      },
    )
  })
}

function show(reply: FastifyReply, subscriber: Subscriber | null, token: string, deed: Deed): FastifyReply {
  return reply
    .code(subscriber ? 200 : 404)
    .header('content-security-policy', PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(subscriber ? renderSubscriber(subscriber, token, deed) : renderUnknown())
}

type Wish = 'one-click' | 'unsubscribe' | 'undo'

async function wishOf(type: string | undefined, body: unknown): Promise<Wish> {
  const form = Buffer.isBuffer(body) ? await readForm(type ?? '', body) : null
  if (form?.get('List-Unsubscribe') === 'One-Click') return 'one-click'
  const action = form?.get('action')
  if (action === 'unsubscribe' || action === 'undo') return action
  throw new AppError(
    400,
    'This request does not say what to do; open the link in a browser and press the button there',
  )
}

/** Either encoding that a form has; null for what is neither. */
async function readForm(type: string, body: Buffer): Promise<Pick<FormData, 'get'> | null> {
  if (!/^multipart\/form-data\b/i.test(type)) return new URLSearchParams(body.toString('utf8').trim())
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch {
    return null
  }
}
