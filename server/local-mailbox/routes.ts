import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, notFound } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { askedHost, isForwarded } from '../platform/http/security.ts'
import { isId } from '../platform/ids.ts'
import { BASE_STYLES } from '../platform/look/styles.ts'
import { isLoopback } from '../platform/network-address.ts'
import type { MailboxReaders } from '../platform/product-transport.ts'
import { type PageState, renderPage } from './page.ts'
import type { ReplyState } from './reply-form.ts'
import { Before, mailboxReplyRoutes, type ReplyReceiver, replyStateOf } from './reply-routes.ts'
import { sourceOf } from './source.ts'
import type { LocalMailboxStore, MailboxMessage } from './store.ts'

type Dependencies = {
  store: Pick<LocalMailboxStore, 'list' | 'find'>
  receiver: ReplyReceiver
  publicUrl: URL
  readers: MailboxReaders
  now?: () => Date
}

/** Also said at the start, to whoever can change it. */
export const SHUT_MAILBOX =
  'The local mailbox is shut, since PUBLIC_URL lets others in: set SMTP_URL or RESEND_API_KEY, or LOCAL_MAILBOX=on to let everybody read it; npm run admin -- create-user and reset-password print links without mail'

const SHOWN = 100
const PUBLIC = { access: 'public' } as const
const FILES = [
  {
    name: 'mailbox.css',
    type: 'text/css',
    base: BASE_STYLES,
    parts: ['page.css', 'list.css', 'message.css', 'reply.css'],
  },
  { name: 'mailbox.js', type: 'text/javascript', base: '', parts: ['mailbox.js'] },
]

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
/** A mail's HTML can show its own text and open its links in a new tab, and nothing else. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"

const ListQuery = Before.pick({ to: true }).extend({
  limit: z.coerce.number().int().min(1).max(SHOWN).default(SHOWN),
})
const PageQuery = Before.extend({
  id: z.string().optional(),
  reply: z.enum(['write', 'sent']).optional().catch(undefined),
})
const MessagePath = z.object({ id: z.string() })

/** The mailbox that stands in for a provider: a page of its own, outside the application, and its JSON. */
export function localMailboxRoutes(
  app: Http,
  { store, receiver, publicUrl, readers, now = () => new Date() }: Dependencies,
): void {
  app.register(async (mailbox: Http) => {
    mailbox.addHook('onRequest', async (request, reply) => {
      refuseStrangers(request, publicUrl, readers)
      reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    })

    const find = async (id: string): Promise<MailboxMessage> => {
      const message = isId(id) ? await store.find(id) : null
      if (!message) throw notFound('message')
      return message
    }

    mailbox.get(
      '/local-mailbox',
      { config: PUBLIC, schema: { querystring: PageQuery } },
      async (request, reply) => {
        const { to, id, view, reply: asked } = request.query
        const messages = await store.list({ to, limit: SHOWN })
        const message = id === undefined ? messages[0] : await find(id)
        const open = message && {
          message,
          source: view === 'source' ? sourceOf(message) : '',
          reply: await replyStateOf(asked, message, { receiver, now }),
        }
        return show(reply, { messages, open: open ?? null, isChosen: id !== undefined, view, to })
      },
    )

    const show = (reply: FastifyReply, state: Omit<PageState, 'now'>): FastifyReply => {
      // With none at all a browser would not even tell our own form's origin.
      reply.header('referrer-policy', 'same-origin')
      return send(reply, 'text/html', renderPage({ ...state, now: now() }), PAGE_POLICY)
    }

    const showReply = async (
      reply: FastifyReply,
      { to, view }: Before,
      message: MailboxMessage,
      state: ReplyState,
    ) =>
      show(reply, {
        messages: await store.list({ to, limit: SHOWN }),
        open: { message, source: view === 'source' ? sourceOf(message) : '', reply: state },
        isChosen: true,
        view,
        to,
      })

    mailboxReplyRoutes(mailbox, { receiver, find, show: showReply, now })

    mailbox.get(
      '/local-mailbox/messages',
      { config: PUBLIC, schema: { querystring: ListQuery } },
      (request) => store.list(request.query),
    )

    mailbox.get(
      '/local-mailbox/messages/:id/html',
      { config: PUBLIC, schema: { params: MessagePath } },
      async (request, reply) => {
        const { html } = await find(request.params.id)
        reply.header('x-frame-options', 'SAMEORIGIN')
        return send(reply, 'text/html', withLinksInNewTabs(html), MAIL_POLICY)
      },
    )

    mailbox.get(
      '/local-mailbox/messages/:id/source',
      { config: PUBLIC, schema: { params: MessagePath } },
      async (request, reply) =>
        send(reply, 'text/plain', sourceOf(await find(request.params.id)), MAIL_POLICY),
    )

    for (const { name, type, base, parts } of FILES) {
      const files = parts.map((part) => readFileSync(new URL(`assets/${part}`, import.meta.url), 'utf8'))
      const text = [base, ...files].join('\n')
      mailbox.get(`/local-mailbox/${name}`, { config: PUBLIC }, (_request, reply) =>
        send(reply, type, text, PAGE_POLICY),
      )
    }
  })
}

const send = (reply: FastifyReply, type: string, text: string, policy: string): FastifyReply =>
  reply.header('content-security-policy', policy).type(`${type}; charset=utf-8`).send(text)

/**
 * A page of another site can make its own name point to this machine (DNS rebinding) and would then read codes as if
 * it were ours; but it cannot make the browser ask for another name than its own.
 */
function refuseStrangers({ headers }: FastifyRequest, publicUrl: URL, readers: MailboxReaders): void {
  if (readers === 'nobody') throw new AppError(403, SHUT_MAILBOX)
  const isOpen = readers === 'everybody'
  const name = askedHost(headers)
  if (name && isOpen && name === publicUrl.hostname) return
  // A proxy passes on what comes from outside; then it is open only to an operator who asked for it.
  if (isLoopback(name) && (isOpen || !isForwarded(headers))) return
  throw new AppError(
    421,
    `The local mailbox answers only at ${publicUrl.origin}/local-mailbox and on this machine`,
  )
}

/** Placed first in the head, so that it is the first of its kind and holds for every link without a target. */
function withLinksInNewTabs(html: string): string {
  const base = '<base target="_blank">'
  return /<head\b[^>]*>/i.test(html) ? html.replace(/<head\b[^>]*>/i, (head) => head + base) : base + html
}
