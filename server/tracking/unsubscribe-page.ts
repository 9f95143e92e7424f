import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, type Markup } from '../platform/look/html.ts'
import { MARK } from '../platform/look/mark.ts'
import { BASE_STYLES } from '../platform/look/styles.ts'
import type { Subscriber } from './unsubscribe.ts'

const STYLES = BASE_STYLES + readFileSync(new URL('assets/unsubscribe.css', import.meta.url), 'utf8')

/** These styles and no others, no scripts, and forms that lead back here. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What has just been done, if anything. */
export type Deed = 'unsubscribe' | 'undo' | null

export function renderSubscriber(subscriber: Subscriber, token: string, deed: Deed): string {
  const { suppressed } = subscriber
  if (suppressed === null) return deed === 'undo' ? welcomeBack(subscriber) : question(subscriber, token)
  if (suppressed === 'u') return farewell(subscriber, token)
  return leftOut(subscriber, suppressed, token, deed)
}

export const renderUnknown = (): string =>
  page(
    'This link does not work',
    html`<p>It may have been cut off. Please open the link in the email once more, or copy all of it into your browser.</p>`,
  )

const question = (subscriber: Subscriber, token: string): string =>
  page(
    'Do you want to unsubscribe?',
    html`<p>${sender(subscriber)} will then send no more emails to ${address(subscriber)}.</p>
${form(token, 'unsubscribe', 'Unsubscribe', 'primary')}`,
  )

const farewell = (subscriber: Subscriber, token: string): string =>
  page(
    'You are unsubscribed',
    html`<p>${sender(subscriber)} sends no more emails to ${address(subscriber)}.</p>
<p class="aside">Was that a mistake? You can undo it.</p>
${form(token, 'undo', 'Undo: I want these emails again', 'plain')}`,
  )

const welcomeBack = (subscriber: Subscriber): string =>
  page(
    'You are subscribed again',
    html`<p>${sender(subscriber)} may send emails to ${address(subscriber)} as before.</p>
<p class="aside">You can leave at any time by the link in each email.</p>`,
  )

const REASONS: Readonly<Record<string, string>> = {
  h: 'an earlier email to this address came back',
  s: 'the last emails to this address all came back',
  c: 'an email to this address was reported as spam',
  m: 'the sender has put this address on the list of those who get none',
}

function leftOut(subscriber: Subscriber, reason: string, token: string, deed: Deed): string {
  // A complaint is stronger than an unsubscription already, and who has just undone theirs wants mails.
  const offer = reason === 'c' || deed !== null ? '' : ownWish(token)
  const why = REASONS[reason] ?? 'the address is on the list of those who get none'
  return page(
    deed === 'unsubscribe' ? 'You are unsubscribed' : 'You get no emails from this sender',
    html`<p>${sender(subscriber)} sends no emails to ${address(subscriber)}: ${why}.</p>
<p class="aside">${deed === 'undo' ? 'This cannot be undone here. ' : ''}If you want emails again, please write to the sender.</p>
${offer}`,
  )
}

/** Whoever comes to leave says so themselves: the sender may take every other reason back, and would write again. */
const ownWish = (token: string): Markup =>
  html`<p class="aside">The sender can change this. If you want no emails even then, unsubscribe.</p>
${form(token, 'unsubscribe', 'Unsubscribe', 'primary')}`

const sender = ({ senderName, replyTo }: Subscriber): Markup =>
  html`<strong><bdi>${senderName || replyTo}</bdi></strong>`
const address = (subscriber: Subscriber): Markup => html`<strong><bdi>${subscriber.address}</bdi></strong>`

const form = (token: string, action: 'unsubscribe' | 'undo', label: string, look: string): Markup =>
  html`<form method="post" action="/u/${token}"><button class="${look}" name="action" value="${action}">${label}</button></form>`

const page = (heading: string, content: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${heading}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${{ markup: STYLES }}</style>
</head>
<body>
<main>
${MARK}
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`.markup
