import { randomUUID } from 'node:crypto'
import { html, type Markup } from '../platform/look/html.ts'

export const REPLY_TEXT_MAX = 20_000

/** What makes an answer one mail, however often its form is sent: its id, and the date that it gives itself. */
export type Begun = { replyId: string; begunAt: Date }

export const beginReply = (now: Date): Begun => ({ replyId: randomUUID(), begunAt: now })

/** What the page shows of answering the open mail as its recipient; null for nothing but the way to it. */
export type ReplyState =
  | { kind: 'write'; text: string; problem: string | null; begun: Begun }
  /** Nobody here receives mail to the address that the answer goes to. */
  | { kind: 'leaves' }
  | { kind: 'sent' }

/** Nobody reads 48 letters; they are in the view of the source. */
const withoutToken = (address: string): string => address.replace(/\+[\w-]{48}@/, '+…@')

type Parts = {
  id: string
  author: string
  to: string
  /** Leads back to the mail alone, in the view that it was in. */
  closed: string
}

export const elsewhere = (to: string): string =>
  `A reply would go to ${to}. That is no inbox of this Postrider: it would leave this machine, and nobody could follow it from here.`

export function replyPart(state: ReplyState, { id, author, to: address, closed }: Parts): Markup {
  const to = withoutToken(address)
  switch (state.kind) {
    case 'sent':
      return html`<div class="reply"><p role="status">The reply of ${author} has arrived in the inbox at ${to}.</p>
      <p class="deeds"><a class="button" href="/inbox">Open Inbox</a><a href="${closed}">Close</a></p></div>`
    case 'leaves':
      return html`<div class="reply"><p role="status">${elsewhere(to)}</p>
      <p class="deeds"><a href="${closed}">Close</a></p></div>`
    case 'write':
      return html`<form class="reply" method="post" action="/local-mailbox/messages/${id}/reply${new URL(closed, 'http://x').search}">
      <input type="hidden" name="replyId" value="${state.begun.replyId}">
      <input type="hidden" name="begunAt" value="${state.begun.begunAt.toISOString()}">
      <label for="reply">Reply as ${author} to ${to}</label>
      <textarea id="reply" name="text" rows="5" maxlength="${REPLY_TEXT_MAX}" required autofocus${
        state.problem === null ? '' : html` aria-invalid="true" aria-describedby="reply-problem"`
      }>
${state.text}</textarea>
      ${state.problem === null ? '' : html`<p class="problem" id="reply-problem" role="alert">${state.problem}</p>`}
      <p class="deeds"><button>Send reply</button><a href="${closed}">Cancel</a></p>
    </form>`
  }
}
