import { describe, expect, it } from 'vitest'
import type { WebhookCall } from './events.ts'
import { readResendCall } from './resend-signature.ts'

/** The public sample of Svix, who sign for Resend. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
const OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const SIGNED_AT = 1_614_265_330

type Changes = { id?: string; timestamp?: string; signature?: string; body?: string; laterMs?: number }

const aCall = ({
  id = 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp = String(SIGNED_AT),
  signature = SIGNATURE,
  body = '{"test": 2432232314}',
  laterMs = 0,
}: Changes = {}): WebhookCall => ({
  headers: { 'svix-id': id, 'svix-timestamp': timestamp, 'svix-signature': signature },
  body: Buffer.from(body),
  now: new Date(SIGNED_AT * 1000 + laterMs),
})

const GENUINE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(SIGNED_AT * 1000) }

describe('a call of Resend', () => {
  it('is believed by one of several secrets, and by one of several signatures', () => {
    expect(readResendCall(aCall(), SECRET)).toEqual(GENUINE)
    expect(readResendCall(aCall(), `${OTHER},${SECRET}`)).toEqual(GENUINE)
    expect(readResendCall(aCall(), `${SECRET} ${OTHER}`)).toEqual(GENUINE)
    const turned = SIGNATURE.replace('g0', 'h0')
    expect(readResendCall(aCall({ signature: `${turned} ${SIGNATURE}` }), SECRET)).toEqual(GENUINE)
  })

  it('is believed by the names of the standard too', () => {
    const { headers, ...call } = aCall()
    const renamed = Object.entries(headers).map(([name, value]) => [name.replace('svix', 'webhook'), value])
    expect(readResendCall({ ...call, headers: Object.fromEntries(renamed) }, SECRET)).toEqual(GENUINE)
  })

  it.each([
    ['has another body', aCall({ body: '{"test":2432232314}' }), SECRET],
    ['has another id', aCall({ id: 'msg_x' }), SECRET],
    ['has another time', aCall({ timestamp: String(SIGNED_AT + 1) }), SECRET],
    ['has a time that is none', aCall({ timestamp: 'now' }), SECRET],
    ['has no signature', aCall({ signature: '' }), SECRET],
    ['has one of another version', aCall({ signature: SIGNATURE.replace('v1', 'v2') }), SECRET],
    ['has one that is cut short', aCall({ signature: SIGNATURE.slice(0, 20) }), SECRET],
    ['is too old', aCall({ laterMs: 301_000 }), SECRET],
    ['is of a time to come', aCall({ laterMs: -301_000 }), SECRET],
    ['is checked by another secret', aCall(), OTHER],
    ['is checked by none', aCall(), ''],
    ['is checked by commas', aCall(), ' , '],
  ])('is none when it %s', (_, call, secrets) => {
    expect(readResendCall(call, secrets)).toEqual(expect.any(String))
  })
})
