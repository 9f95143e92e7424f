import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import type { WebhookReading } from './events.ts'
import { readResendEvents } from './resend-events.ts'

const KEY = Buffer.from('a key of Resend')
const NOW = new Date('2026-12-01T10:00:00.000Z')

function told(type: string, data: object): WebhookReading {
  const body = Buffer.from(JSON.stringify({ type, created_at: NOW.toISOString(), data }))
  const timestamp = String(NOW.getTime() / 1000)
  const signature = createHmac('sha256', KEY).update(`msg_1.${timestamp}.`).update(body).digest('base64')
  const headers = { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
  return readResendEvents({ headers, body, now: NOW }, `whsec_${KEY.toString('base64')}`)
}

it.each([
  ['hard', 'Permanent', 'General', '550 5.1.1 user unknown'],
  ['hard', 'Permanent', 'Suppressed', undefined],
  ['soft', 'Transient', 'General', undefined],
  ['soft', 'Transient', 'MailboxFull', 'smtp; 552 5.2.2 mailbox full'],
  ['soft', 'Undetermined', 'Undetermined', undefined],
  ['message', 'Transient', 'General', 'smtp; 550 5.7.1 [192.0.2.1] is blocked by a list'],
  ['message', 'Transient', 'ContentRejected', undefined],
])('a bounce is %s where Resend says %s, %s and the server %s', (bounce, type, subType, said) => {
  const about = { type, subType, message: 'It came back', ...(said ? { diagnosticCode: [said] } : {}) }
  expect(told('email.bounced', { tags: { mid: 'm-1' }, bounce: about })).toEqual({
    kind: 'events',
    events: [{ id: 'msg_1', tag: 'm-1', at: NOW, words: said ?? 'It came back', kind: 'bounced', bounce }],
  })
})
