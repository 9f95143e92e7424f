import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { computing } from '../test/computing.ts'
import { createSigner, eventOf, reportOf, storyOf } from '../test/simulators/sendgrid-events.ts'
import { takeMails } from '../test/simulators/sendgrid-mail.ts'
import type { WebhookCall } from './events.ts'
import { readSendgridEvents } from './sendgrid-events.ts'
import { areSendgridKeys } from './sendgrid-signature.ts'

/** SendGrid's own example: its key, its signature, its bytes. */
const KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g=='
const SIGNATURE =
  'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM='
const SIGNED_AT = 1600112502
const BODY =
  '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n'
const SIGNATURE_HEADER = 'X-Twilio-Email-Event-Webhook-Signature'
const TIMESTAMP_HEADER = 'X-Twilio-Email-Event-Webhook-Timestamp'

const aCall = (parts: Partial<WebhookCall> = {}): WebhookCall => ({
  headers: { [SIGNATURE_HEADER]: SIGNATURE, [TIMESTAMP_HEADER]: String(SIGNED_AT) },
  body: Buffer.from(BODY),
  now: new Date(SIGNED_AT * 1000),
  ...parts,
})
const withHeaders = (signature: unknown, timestamp: unknown = String(SIGNED_AT)) =>
  aCall({
    headers: { [SIGNATURE_HEADER]: signature, [TIMESTAMP_HEADER]: timestamp } as WebhookCall['headers'],
  })
const later = (seconds: number) => aCall({ now: new Date((SIGNED_AT + seconds) * 1000) })
const kindOf = (call: WebhookCall, key = KEY) => readSendgridEvents(call, key).kind

const signer = createSigner()
const now = new Date('2026-05-01T12:00:00Z')

/** What comes out of a report that is signed as it should be. */
function read(items: unknown, body = Buffer.from(`${JSON.stringify(items)}\r\n`)) {
  const reading = readSendgridEvents(
    { headers: signer.headersFor(body, now.getTime()), body, now },
    signer.publicKey,
  )
  if (reading.kind !== 'events') throw new Error(reading.kind)
  return reading.events
}
const anItem = (fields: object) => ({ sg_event_id: 'e1', timestamp: 1700000000, mid: 'm-1', ...fields })
const one = (fields: object) => read([anItem(fields)])[0]

describe('a call of SendGrid', () => {
  it('is believed when its signature fits, whatever the case of its headers', () => {
    const events = [
      {
        id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
        tag: null,
        at: new Date('2020-09-14T19:41:32Z'),
        words: 'Bounced Address',
        kind: 'failed',
      },
    ]
    expect(readSendgridEvents(aCall(), KEY)).toEqual({ kind: 'events', events })
    const headers = {
      [SIGNATURE_HEADER.toLowerCase()]: SIGNATURE,
      [TIMESTAMP_HEADER.toUpperCase()]: `${SIGNED_AT}`,
    }
    expect(readSendgridEvents(aCall({ headers }), KEY)).toEqual({ kind: 'events', events })
  })

  it.each([
    ['has no signature', aCall({ headers: {} })],
    ['has an empty signature', withHeaders('')],
    ['has no time', withHeaders(SIGNATURE, [])],
    ['has an empty time', withHeaders(SIGNATURE, '')],
    ['has another time', withHeaders(SIGNATURE, String(SIGNED_AT + 1))],
    ['has a time that is none', withHeaders(SIGNATURE, '1600112502abc')],
    ['has a time written otherwise', withHeaders(SIGNATURE, '1.600112502e9')],
    ['has two signatures', withHeaders([SIGNATURE, SIGNATURE])],
    ['has a signature that is no base64', withHeaders(`${SIGNATURE.slice(0, 20)}*${SIGNATURE.slice(21)}`)],
    ['has a signature that is no signature', withHeaders(Buffer.from('hello').toString('base64'))],
    ['has a signature that is cut short', withHeaders(SIGNATURE.slice(0, 40))],
    ['has a signature of random bytes', withHeaders(randomBytes(71).toString('base64'))],
    ['was written anew', aCall({ body: Buffer.from(JSON.stringify(JSON.parse(BODY))) })],
    ['lost its last line break', aCall({ body: Buffer.from(BODY.trimEnd()) })],
    ['has no body', aCall({ body: Buffer.alloc(0) })],
    ['is too old', later(301)],
    ['is of a time to come', later(-301)],
  ])('is forged when it %s', (_, call) => {
    expect(readSendgridEvents(call, KEY)).toEqual({ kind: 'forged', why: expect.any(String) })
  })

  it('is fresh for five minutes', () => {
    expect(kindOf(later(300))).toBe('events')
    expect(kindOf(later(-300))).toBe('events')
  })

  it.each([
    ['none', ''],
    ["another account's", signer.publicKey],
    ['no key at all', 'secret'],
    ['a broken one', KEY.slice(0, 60)],
    ['one of another kind', Buffer.from(randomBytes(91)).toString('base64')],
  ])('is forged when the key is %s', (_, key) => {
    expect(kindOf(aCall(), key)).toBe('forged')
  })
})

describe('a key that someone pastes', () => {
  const der = (key: { export(options: { format: 'der'; type: 'spki' }): Buffer }) =>
    key.export({ format: 'der', type: 'spki' }).toString('base64')

  it('is known with and without the lines around it', () => {
    expect(areSendgridKeys(KEY)).toBe(true)
    expect(areSendgridKeys(` ${KEY}\n`)).toBe(true)
    const pem = `-----BEGIN PUBLIC KEY-----\n${KEY.slice(0, 64)}\n${KEY.slice(64)}\n-----END PUBLIC KEY-----\n`
    expect(areSendgridKeys(pem)).toBe(true)
    expect(kindOf(aCall(), pem)).toBe('events')
  })

  it('may stand beside that of another webhook of the account', () => {
    for (const both of [
      `${signer.publicKey}, ${KEY}`,
      `${KEY} ${signer.publicKey}`,
      signer.publicKey + KEY,
    ]) {
      expect(areSendgridKeys(both)).toBe(true)
      expect(kindOf(aCall(), both)).toBe('events')
    }
    expect(areSendgridKeys(`${KEY}, ${KEY.slice(0, 80)}`)).toBe(false)
    expect(areSendgridKeys(Array(5).fill(KEY).join())).toBe(false)
  })

  it.each([
    ['nothing', ''],
    ['an API key', 'SG.simulated_key'],
    ['half a key', KEY.slice(0, 80)],
    ['a key on another curve', der(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey)],
    ['a key of another kind', der(generateKeyPairSync('ed25519').publicKey)],
    [
      'a private key',
      generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString(),
    ],
    ['a book', 'A'.repeat(1_000_000)],
  ])('is not %s', (_, text) => {
    expect(areSendgridKeys(text)).toBe(false)
  })
})

describe('an event', () => {
  const bounced = (bounce: string) => ({ kind: 'bounced', bounce })
  it.each([
    [{ event: 'processed' }, { kind: 'accepted' }],
    [{ event: 'delivered' }, { kind: 'delivered' }],
    [{ event: 'deferred', attempt: '3' }, { kind: 'deferred' }],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Invalid Address' }, bounced('hard')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Mailbox Unavailable' }, bounced('hard')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Unclassified' }, bounced('hard')],
    [{ event: 'bounce', type: 'bounce' }, bounced('hard')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Reputation' }, bounced('soft')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Technical Failure' }, bounced('soft')],
    [
      { event: 'bounce', type: 'bounce', bounce_classification: 'Frequency or Volume Too High' },
      bounced('soft'),
    ],
    [{ event: 'bounce', type: 'blocked' }, bounced('soft')],
    [{ event: 'bounce', type: 'blocked', bounce_classification: 'Invalid Address' }, bounced('soft')],
    [{ event: 'bounce', type: 'blocked', bounce_classification: 'Content' }, bounced('message')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Content' }, bounced('message')],
    [{ event: 'dropped' }, { kind: 'failed' }],
    [{ event: 'open' }, { kind: 'opened', isMachine: false }],
    [
      { event: 'open', sg_machine_open: false },
      { kind: 'opened', isMachine: false },
    ],
    [
      { event: 'open', sg_machine_open: true },
      { kind: 'opened', isMachine: true },
    ],
    [
      { event: 'click', url: 'https://x.test/a?b' },
      { kind: 'clicked', isMachine: false, url: 'https://x.test/a?b' },
    ],
    [
      { event: 'click', url: 'javascript:alert(1)' },
      { kind: 'clicked', isMachine: false, url: null },
    ],
    [{ event: 'click' }, { kind: 'clicked', isMachine: false, url: null }],
    [{ event: 'spamreport' }, { kind: 'complained' }],
    [{ event: 'unsubscribe' }, { kind: 'unsubscribed' }],
    [{ event: 'group_unsubscribe', asm_group_id: 1 }, { kind: 'unsubscribed' }],
  ])('%j means %j', (fields, kind) => {
    expect(one(fields)).toEqual({ id: 'e1', tag: 'm-1', at: new Date(1700000000_000), words: null, ...kind })
  })

  it('carries what was said, as one line', () => {
    expect(one({ event: 'delivered', response: '250 OK' })?.words).toBe('250 OK')
    expect(one({ event: 'dropped', reason: 'Spam Content', status: '5.0.0' })?.words).toBe('Spam Content')
    expect(one({ event: 'bounce', type: 'bounce', reason: '', status: '5.1.1' })?.words).toBe('5.1.1')
    expect(one({ event: 'bounce', reason: '550 5.1.1\r\n no\u0000 such user' })?.words).toBe(
      '550 5.1.1 no such user',
    )
    expect(one({ event: 'bounce', reason: { a: 1 } })?.words).toBeNull()
  })

  it.each([[7], [null], [['m-1']], [''], ['m 1'], ['m\u0000'], ['m'.repeat(300)]])(
    'has no tag by %j',
    (mid) => {
      expect(one({ event: 'delivered', mid })).toMatchObject({ kind: 'delivered', tag: null })
    },
  )

  it.each([
    [{ event: 'group_resubscribe' }],
    [{ event: 'account_status_change' }],
    [{ event: 'constructor' }],
    [{ event: 7 }],
    [{}],
    [{ event: 'delivered', sg_event_id: undefined }],
    [{ event: 'delivered', sg_event_id: '' }],
    [{ event: 'delivered', sg_event_id: 'a\u0000b' }],
    [{ event: 'delivered', timestamp: '1700000000' }],
    [{ event: 'delivered', timestamp: 1e300 }],
    [{ event: 'delivered', timestamp: null }],
  ])('is passed over when it is %j, and its neighbours are not', (fields) => {
    const events = read([
      anItem(fields),
      null,
      7,
      'x',
      [],
      [anItem({ event: 'open' })],
      anItem({ event: 'open' }),
    ])
    expect(events).toMatchObject([{ kind: 'opened' }])
  })

  it.each(['', 'null', '{}', '[', '"x"', '[]', `${'['.repeat(5000)}`, '\u0000'])('is none in %j', (body) => {
    expect(read(null, Buffer.from(body))).toEqual([])
  })
})

it('reads three thousand events in far less than a second', () => {
  const letter = { from: { email: 'a@x.test' }, subject: 's', content: [{ type: 'text/plain', value: 't' }] }
  const to = (n: number) => ({ to: [{ email: `bounced+${n}@x.test` }], custom_args: { mid: `m-${n}` } })
  const mails = takeMails(
    { personalizations: Array.from({ length: 1000 }, (_, n) => to(n)), ...letter },
    'call',
  )
  const events = mails.flatMap((mail) => [
    ...storyOf(mail),
    eventOf(mail, 'open', { useragent: 'x'.repeat(100) }),
  ])
  const calls = Array.from({ length: 30 }, (_, n) => reportOf(events.slice(n * 100, n * 100 + 100)))
  const signed = calls.map((body) => ({ body, headers: signer.headersFor(body, now.getTime()), now }))
  const computed = computing()
  let count = 0
  for (const call of signed) {
    const reading = readSendgridEvents(call, signer.publicKey)
    if (reading.kind === 'events') count += reading.events.length
  }
  expect(count).toBe(3000)
  expect(computed()).toBeLessThan(500)
})
