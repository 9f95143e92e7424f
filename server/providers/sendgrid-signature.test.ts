import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../test/simulators/sendgrid-events.ts'
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
const kindOf = async (call: WebhookCall, key = KEY) => (await readSendgridEvents(call, key)).kind

const signer = createSigner()

describe('a call of SendGrid', () => {
  it('is believed when its signature fits, whatever the case of its headers', async () => {
    const events = [
      {
        id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
        tag: null,
        at: new Date('2020-09-14T19:41:32Z'),
        words: 'Bounced Address',
        kind: 'failed',
      },
    ]
    expect(await readSendgridEvents(aCall(), KEY)).toEqual({ kind: 'events', events })
    const headers = {
      [SIGNATURE_HEADER.toLowerCase()]: SIGNATURE,
      [TIMESTAMP_HEADER.toUpperCase()]: `${SIGNED_AT}`,
    }
    expect(await readSendgridEvents(aCall({ headers }), KEY)).toEqual({ kind: 'events', events })
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
  ])('is forged when it %s', async (_, call) => {
    expect(await readSendgridEvents(call, KEY)).toEqual({ kind: 'forged', why: expect.any(String) })
  })

  it('is fresh for five minutes', async () => {
    expect(await kindOf(later(300))).toBe('events')
    expect(await kindOf(later(-300))).toBe('events')
  })

  it.each([
    ['none', ''],
    ["another account's", signer.publicKey],
    ['no key at all', 'secret'],
    ['a broken one', KEY.slice(0, 60)],
    ['one of another kind', Buffer.from(randomBytes(91)).toString('base64')],
  ])('is forged when the key is %s', async (_, key) => {
    expect(await kindOf(aCall(), key)).toBe('forged')
  })
})

describe('a key that someone pastes', () => {
  const der = (key: { export(options: { format: 'der'; type: 'spki' }): Buffer }) =>
    key.export({ format: 'der', type: 'spki' }).toString('base64')

  it('is known with and without the lines around it', async () => {
    expect(areSendgridKeys(KEY)).toBe(true)
    expect(areSendgridKeys(` ${KEY}\n`)).toBe(true)
    const pem = `-----BEGIN PUBLIC KEY-----\n${KEY.slice(0, 64)}\n${KEY.slice(64)}\n-----END PUBLIC KEY-----\n`
    expect(areSendgridKeys(pem)).toBe(true)
    expect(await kindOf(aCall(), pem)).toBe('events')
  })

  it('may stand beside that of another webhook of the account', async () => {
    for (const both of [
      `${signer.publicKey}, ${KEY}`,
      `${KEY} ${signer.publicKey}`,
      signer.publicKey + KEY,
    ]) {
      expect(areSendgridKeys(both)).toBe(true)
      expect(await kindOf(aCall(), both)).toBe('events')
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
