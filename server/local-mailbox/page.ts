import { html, type Markup } from '../platform/look/html.ts'
import { MARK } from '../platform/look/mark.ts'
import { type ReplyState, replyPart } from './reply-form.ts'
import { replyAddress } from './reply-mail.ts'
import type { MailboxMessage } from './store.ts'

export const VIEWS = ['html', 'text', 'source'] as const
type View = (typeof VIEWS)[number]

export type PageState = {
  messages: readonly MailboxMessage[]
  /** The one on show: chosen by the reader, or the newest where there is room beside the list. */
  open: { message: MailboxMessage; source: string; reply: ReplyState | null } | null
  isChosen: boolean
  view: View
  to: string | null
  now: Date
}

const VIEW_NAMES: Readonly<Record<View, string>> = { html: 'HTML', text: 'Text', source: 'Source' }

export const renderPage = (state: PageState): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local mailbox · Postrider</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/local-mailbox/mailbox.css">
<script src="/local-mailbox/mailbox.js"></script>
</head>
<body>
<header class="top">
  ${MARK}
  <h1>Local mailbox</h1>
  <p>No mail provider is set, so mail stays on this machine.</p>
  ${filterForm(state.to)}
</header>
<main id="mailbox" data-newest="${state.messages[0]?.id ?? ''}" data-chosen="${String(state.isChosen)}">
  ${state.messages.length === 0 && !state.open ? emptyMailbox(state.to) : listAndMessage(state)}
</main>
<p class="announcer" role="status" id="announcer"></p>
</body>
</html>
`.markup

const filterForm = (
  to: string | null,
): Markup => html`<form class="filter" action="/local-mailbox" role="search">
    <label for="to">Recipient</label>
    <input id="to" name="to" type="text" inputmode="email" autocomplete="off" spellcheck="false" value="${to ?? ''}" placeholder="anyone">
    <button>Show</button>
  </form>`

const ENVELOPE = html`<svg class="drawing" viewBox="0 0 64 48" aria-hidden="true"><rect x="2" y="2" width="60" height="44" rx="6"/><path d="m4 6 28 22L60 6"/><circle cx="58" cy="6" r="6"/></svg>`

const emptyMailbox = (to: string | null): Markup =>
  to === null
    ? html`<section class="empty">${ENVELOPE}<h2>No mail yet</h2><p>Sign up or send an e-mail in Postrider. It appears here at once, with its code and links.</p><a class="button" href="/">Open Postrider</a></section>`
    : html`<section class="empty">${ENVELOPE}<h2>Nothing for ${to}</h2><p>Mail to this address appears here as soon as it is sent.</p><a class="button" href="/local-mailbox">Show all mail</a></section>`

const listAndMessage = (
  state: PageState,
): Markup => html`<nav class="list" aria-label="Messages" id="messages">${messageList(state)}</nav>
  ${state.open ? messageView(state, state.open) : ''}`

const messageList = ({ messages, open, to, now }: PageState): Markup => html`<ol>${messages.map(
  (message) => html`
      <li><a href="${linkTo(message.id, to)}"${message.id === open?.message.id ? html` aria-current="true"` : ''}>
        <span class="who">${message.to}</span> ${timeOf(message.receivedAt, now)}
        <span class="subject">${message.subject || 'No subject'}</span>
      </a></li>`,
)}
    </ol>`

function messageView(
  { view, to, now }: PageState,
  { message, source, reply }: NonNullable<PageState['open']>,
): Markup {
  const closed = linkTo(message.id, to, view)
  return html`<section class="message" aria-label="Message">
    <a class="back" href="${linkTo(null, to)}">All messages</a>
    <header>
      <h2>${message.subject || 'No subject'}</h2>
      <dl>
        <div><dt>From</dt><dd>${message.from}</dd></div>
        <div><dt>To</dt><dd>${message.headers['To'] ?? message.to}</dd></div>
        <div><dt>Received</dt><dd>${timeOf(message.receivedAt, now)}</dd></div>
      </dl>
      ${reply ? '' : html`<p class="answer"><a class="button" href="${linkTo(message.id, to, view, 'write')}">Reply as the recipient</a></p>`}
      <nav class="views" aria-label="Views of the message">${VIEWS.map(
        (name) =>
          html`<a href="${linkTo(message.id, to, name)}"${name === view ? html` aria-current="page"` : ''}>${VIEW_NAMES[name]}</a>`,
      )}<a class="raw" href="/local-mailbox/messages/${message.id}/source" target="_blank" rel="noopener">Raw message</a></nav>
    </header>
    ${reply ? replyPart(reply, { id: message.id, author: message.to, to: replyAddress(message), closed }) : ''}
    ${bodyOf(message, view, source)}
  </section>`
}

function bodyOf(message: MailboxMessage, view: View, source: string): Markup {
  if (view === 'text')
    return html`<div class="body plain" tabindex="0" role="region" aria-label="Text of the message">${withLinks(message.text)}</div>`
  if (view === 'source')
    return html`<pre class="body plain" tabindex="0" role="region" aria-label="Source of the message">${source}</pre>`
  // No scripts, no forms, no origin of ours; only its links work, in a tab of their own.
  return html`<iframe class="body" title="The message as HTML: ${message.subject}" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" src="/local-mailbox/messages/${message.id}/html"></iframe>`
}

/** Web addresses in plain text become links; a full stop or bracket after one belongs to the sentence. */
const withLinks = (text: string): Markup[] =>
  text
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/)
    .map((part, index) =>
      index % 2 === 1
        ? html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`
        : html`${part}`,
    )

export function linkTo(
  id: string | null,
  to: string | null,
  view: View = 'html',
  reply?: 'write' | 'sent',
): string {
  const query = new URLSearchParams({
    ...(to === null ? {} : { to }),
    ...(id === null ? {} : { id }),
    ...(view === 'html' ? {} : { view }),
    ...(reply === undefined ? {} : { reply }),
  })
  return query.size === 0 ? '/local-mailbox' : `/local-mailbox?${query}`
}

/** In words where it is fresh. The script turns the rest into the reader's own time zone. */
function timeOf(date: Date, now: Date): Markup {
  const minutes = Math.floor((now.getTime() - date.getTime()) / 60_000)
  const iso = date.toISOString()
  const words =
    minutes < 1
      ? 'just now'
      : minutes < 60
        ? `${minutes} min ago`
        : `${iso.slice(0, 16).replace('T', ' ')} UTC`
  return html`<time datetime="${iso}">${words}</time>`
}
