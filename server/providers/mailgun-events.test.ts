import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signedBody } from '../test/simulators/mailgun-webhooks.ts'
import type { WebhookReading } from './events.ts'
import { readMailgunEvents } from './mailgun-events.ts'

const KEY = 'test-signing-key'
const NOW = new Date(1_529_006_854_000)
const TOKEN = 'a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0'
const SIGNATURE = 'a4aa5558dda1bdd45f39600cf45ad25006c9fa7980b210160d6df1e9c70160f5'
const signature = { timestamp: '1529006854', token: TOKEN, signature: SIGNATURE }
const delivered = { event: 'delivered', timestamp: 1_529_006_800.25, 'user-variables': { mid: 'm1' } }

const read = (body: unknown, { key = KEY, now = NOW } = {}): WebhookReading =>
  readMailgunEvents(
    { headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), now },
    key,
  )
const whole = (changes: object = {}, event: object = delivered) => ({
  signature: { ...signature, ...changes },
  'event-data': event,
})
const eventIn = (event: object) => {
  const reading = read(signedBody({ ...event }, { signingKey: KEY, now: NOW.getTime() }))
  return reading.kind === 'events' ? reading.events[0] : undefined
}

describe('a call of Mailgun to our webhook', () => {
  it('is believed when its time and token are signed, and known by its token', () => {
    expect(read(whole())).toEqual({
      kind: 'events',
      events: [{ kind: 'delivered', id: TOKEN, tag: 'm1', at: new Date(1_529_006_800_250), words: null }],
    })
  })

  it('is the same call in capital hex digits, and a repetition with another story has the same id', () => {
    expect(read(whole({ signature: SIGNATURE.toUpperCase() }))).toEqual(read(whole()))
    expect(read(whole({}, { ...delivered, event: 'complained', id: 'another' }))).toMatchObject({
      events: [{ kind: 'complained', id: TOKEN }],
    })
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no object', 'null'],
    ['a list', '[]'],
    ['no signature', { 'event-data': delivered }],
    ['no event', { signature }],
    ['an event that is a text', { signature, 'event-data': 'delivered' }],
    ['an empty signature', whole({ signature: '' })],
    ['a shorter signature', whole({ signature: SIGNATURE.slice(2) })],
    ['a longer signature', whole({ signature: `${SIGNATURE}00` })],
    ['a signature that is no hex', whole({ signature: 'z'.repeat(64) })],
    ['a signature in base64', whole({ signature: Buffer.from(SIGNATURE, 'hex').toString('base64') })],
    ['another signature', whole({ signature: SIGNATURE.replace('a', 'b') })],
    ['another token', whole({ token: TOKEN.replace('a', 'b') })],
    ['another time', whole({ timestamp: '1529006855' })],
    ['a time that is a number', whole({ timestamp: 1_529_006_854 })],
    ['a time and token cut elsewhere', whole({ timestamp: '15290068548', token: TOKEN.slice(1) })],
    ['a digit of the time in the token', whole({ timestamp: '152900685', token: `4${TOKEN}` })],
    ['a list of signatures', whole({ signature: [SIGNATURE] })],
    [
      'a weaker algorithm',
      whole({ signature: createHmac('md5', KEY).update(`1529006854${TOKEN}`).digest('hex') }),
    ],
    ['the signature of another account', signedBody(delivered, { signingKey: 'other', now: NOW.getTime() })],
  ])('is forged with %s', (_, body) => {
    expect(read(body)).toMatchObject({ kind: 'forged', why: expect.any(String) })
  })

  it('is forged where no key is set, even when it is signed with that', () => {
    expect(read(signedBody(delivered, { signingKey: '', now: NOW.getTime() }), { key: '' })).toMatchObject({
      kind: 'forged',
    })
  })

  it.each([
    [299, 'events'],
    [-299, 'events'],
    [-301, 'forged'],
    // Mailgun comes again for eight hours, and its signature may be the first one then.
    [301, 'events'],
    [9 * 3600, 'events'],
    [9 * 3600 + 1, 'forged'],
    [86_400, 'forged'],
  ])('signed %i seconds ago is %s', (seconds, kind) => {
    expect(read(whole(), { now: new Date(NOW.getTime() + seconds * 1000) }).kind).toBe(kind)
  })

  it('is not thrown off by bytes that are no text', () => {
    const body = Buffer.concat([
      Buffer.from('{"signature":"'),
      Buffer.from([0xff, 0xfe, 0]),
      Buffer.from('"}'),
    ])
    expect(readMailgunEvents({ headers: {}, body, now: NOW }, KEY)).toMatchObject({ kind: 'forged' })
  })
})

describe('what Mailgun reports', () => {
  const failed = (severity: string, reason: string, code = 550) => ({
    event: 'failed',
    severity,
    reason,
    'delivery-status': { code, message: 'Said\r\nthe server', description: '' },
  })

  it.each([
    [{ event: 'accepted' }, { kind: 'accepted' }],
    [{ event: 'delivered' }, { kind: 'delivered' }],
    [failed('temporary', 'generic', 451), { kind: 'deferred', words: '451 Said the server' }],
    [failed('permanent', 'bounce'), { kind: 'bounced', bounce: 'hard', words: '550 Said the server' }],
    [failed('permanent', 'generic'), { kind: 'bounced', bounce: 'hard' }],
    [failed('permanent', 'espblock'), { kind: 'bounced', bounce: 'soft' }],
    [
      {
        ...failed('permanent', 'espblock'),
        'delivery-status': { code: 550, message: '5.7.1 Blocked by policy' },
      },
      { kind: 'bounced', bounce: 'message' },
    ],
    [failed('', ''), { kind: 'bounced', bounce: 'soft' }],
    [failed('permanent', 'suppress-bounce', 605), { kind: 'failed' }],
    [failed('permanent', 'suppress-unsubscribe', 606), { kind: 'failed' }],
    [failed('permanent', 'suppress-complaint', 607), { kind: 'failed' }],
    [failed('permanent', '', 605), { kind: 'failed' }],
    [
      { event: 'rejected', reject: { reason: 'No', description: 'Why' } },
      { kind: 'failed', words: 'Why' },
    ],
    [
      { event: 'opened', 'client-info': { bot: '' } },
      { kind: 'opened', isMachine: false },
    ],
    [{ event: 'opened' }, { kind: 'opened', isMachine: false }],
    [
      { event: 'opened', 'client-info': { bot: 'apple' } },
      { kind: 'opened', isMachine: true },
    ],
    [
      { event: 'clicked', url: 'https://x.test/', 'client-info': {} },
      { kind: 'clicked', isMachine: false, url: 'https://x.test/' },
    ],
    [
      { event: 'clicked', 'client-info': { bot: 'generic' } },
      { kind: 'clicked', isMachine: true, url: null },
    ],
    [{ event: 'unsubscribed' }, { kind: 'unsubscribed' }],
    [{ event: 'complained' }, { kind: 'complained' }],
  ])('as %j is %j', (event, expected) => {
    expect(eventIn({ ...event, 'user-variables': { mid: 'm7' } })).toMatchObject({ tag: 'm7', ...expected })
  })

  it.each([
    ['hard', 'bounce', 550, '5.1.1', 'No such user here'],
    ['hard', 'bounce', 550, '', 'No such user here'],
    ['hard', 'bounce', 550, '5.2.1', 'The account is disabled'],
    ['hard', 'bounce', 550, '5.7.1', 'User unknown'],
    ['hard', 'generic', 554, '', ''],
    ['soft', 'old', 602, '', 'Too old'],
    ['soft', 'generic', 602, '', ''],
    ['soft', 'old', 498, '', 'No MX for x.test'],
    ['soft', 'bounce', 452, '4.2.2', 'The mailbox is full'],
    ['soft', 'bounce', 452, '', ''],
    ['soft', 'bounce', 550, '4.4.7', ''],
    ['soft', 'bounce', 552, '5.2.2', 'Over quota'],
    ['soft', 'bounce', 552, '', '5.2.2 Over quota'],
    ['message', 'bounce', 552, '5.3.4', 'Message size exceeds fixed limit'],
    ['message', 'bounce', 554, '5.6.0', ''],
    ['message', 'bounce', 550, '5.7.1', 'Blocked by policy'],
    ['message', 'generic', 550, '5.7.26', 'Unauthenticated email is not accepted'],
  ])('as permanent is %s by what the server said: %s %i %s %s', (bounce, reason, code, enhanced, message) => {
    for (const field of ['enhanced-code', 'bounce-code']) {
      const status = { code, [field]: enhanced, message, description: '' }
      expect(
        eventIn({ event: 'failed', severity: 'permanent', reason, 'delivery-status': status }),
      ).toMatchObject({ kind: 'bounced', bounce })
    }
  })

  it.each([{ event: 'stored' }, { event: 'invented' }, {}])('as %j is nothing to us', (event) => {
    expect(read(signedBody(event, { signingKey: KEY, now: NOW.getTime() }))).toEqual({
      kind: 'events',
      events: [],
    })
  })

  it('has no tag where none is a text, and the time of the call where it has none', () => {
    for (const variables of [undefined, null, [], 'm', { mid: 7 }, { mid: '' }, {}])
      expect(eventIn({ event: 'delivered', 'user-variables': variables })).toMatchObject({
        tag: null,
        at: NOW,
      })
    for (const timestamp of ['x', null, 1e300])
      expect(eventIn({ event: 'delivered', timestamp })?.at).toEqual(NOW)
  })
})
