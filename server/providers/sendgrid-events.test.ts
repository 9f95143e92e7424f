import { describe, expect, it } from 'vitest'
import { computingTime, expectBelow } from '../test/computing.ts'
import { createSigner, eventOf, reportOf, storyOf } from '../test/simulators/sendgrid-events.ts'
import { takeMails } from '../test/simulators/sendgrid-mail.ts'
import { readSendgridEvents } from './sendgrid-events.ts'

const signer = createSigner()
const now = new Date('2026-05-01T12:00:00Z')

/** What comes out of a report that is signed as it should be. */
async function read(items: unknown, body = Buffer.from(`${JSON.stringify(items)}\r\n`)) {
  const reading = await readSendgridEvents(
    { headers: signer.headersFor(body, now.getTime()), body, now },
    signer.publicKey,
  )
  if (reading.kind !== 'events') throw new Error(reading.kind)
  return reading.events
}
const anItem = (fields: object) => ({ sg_event_id: 'e1', timestamp: 1700000000, mid: 'm-1', ...fields })
const one = async (fields: object) => (await read([anItem(fields)]))[0]

describe('an event', () => {
  const bounced = (bounce: string) => ({ kind: 'bounced', bounce })
  it.each([
    [{ event: 'processed' }, { kind: 'accepted' }],
    [{ event: 'delivered' }, { kind: 'delivered' }],
    [{ event: 'deferred', attempt: '3' }, { kind: 'deferred' }],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Invalid Address' }, bounced('hard')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Mailbox Unavailable' }, bounced('soft')],
    [{ event: 'bounce', type: 'bounce', bounce_classification: 'Unclassified' }, bounced('soft')],
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
  ])('%j means %j', async (fields, kind) => {
    expect(await one(fields)).toEqual({
      id: 'e1',
      tag: 'm-1',
      at: new Date(1700000000_000),
      words: null,
      ...kind,
    })
  })

  it.each([
    ['soft', 'Mailbox Unavailable', '5.2.2', '552 5.2.2 The mailbox is over quota'],
    ['soft', 'Mailbox Unavailable', '5.0.0', '552 Mailbox full'],
    ['soft', 'Mailbox Unavailable', '5.2.2', ''],
    ['hard', 'Mailbox Unavailable', '5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable'],
    ['soft', 'Mailbox Unavailable', '5.0.0', '550 Sorry'],
    ['soft', 'Mailbox Unavailable', '4.2.1', '450 4.2.1 The user is receiving mail too quickly'],
    ['hard', 'Mailbox Unavailable', '5.2.1', '550 5.2.1 The email account is disabled'],
    ['hard', 'Mailbox Unavailable', '5.1.1', '550 5.1.1 User unknown'],
    ['message', 'Mailbox Unavailable', '5.3.4', '552 5.3.4 Message size exceeds fixed limit'],
    ['soft', 'Unclassified', '5.2.2', '552 5.2.2 Over quota'],
    ['soft', 'Unclassified', '5.0.0', '550 Sorry'],
    ['hard', 'Unclassified', '5.1.1', ''],
    ['message', 'Unclassified', '5.7.26', '550 5.7.26 Unauthenticated email is not accepted'],
    ['soft', undefined, '5.2.2', '552 5.2.2 Over quota'],
    ['soft', undefined, '', '552 5.2.2 Over quota'],
    ['soft', undefined, '4.0.0', '450 Sorry'],
    ['soft', undefined, '5.0.0', '450 Sorry'],
    ['hard', undefined, '5.1.1', ''],
    ['hard', undefined, '5.0.0', '500 unknown recipient'],
    ['hard', undefined, '5.0.0', '550 Sorry'],
    ['hard', 'Invalid Address', '5.0.0', '550 Sorry'],
  ])(
    'that is a bounce is %s by what the server said: %s %s %s',
    async (bounce, classification, status, reason) => {
      const fields = {
        event: 'bounce',
        type: 'bounce',
        bounce_classification: classification,
        status,
        reason,
      }
      expect(await one(fields)).toMatchObject(bounced(bounce))
    },
  )

  it.each([
    ['message', '550 5.7.1 [192.0.2.1] is blocked by a list'],
    ['soft', '452 4.2.2 The mailbox is full'],
    ['soft', '550 Sorry'],
  ])('that is a block is %s by what the server said: %s', async (bounce, reason) => {
    for (const block of [{ type: 'blocked' }, { type: 'bounce', bounce_classification: 'Reputation' }])
      expect(await one({ event: 'bounce', ...block, reason })).toMatchObject(bounced(bounce))
  })

  it('carries what was said, as one line', async () => {
    expect((await one({ event: 'delivered', response: '250 OK' }))?.words).toBe('250 OK')
    expect((await one({ event: 'dropped', reason: 'Spam Content', status: '5.0.0' }))?.words).toBe(
      'Spam Content',
    )
    expect((await one({ event: 'bounce', type: 'bounce', reason: '', status: '5.1.1' }))?.words).toBe('5.1.1')
    expect((await one({ event: 'bounce', reason: '550 5.1.1\r\n no\u0000 such user' }))?.words).toBe(
      '550 5.1.1 no such user',
    )
    expect((await one({ event: 'bounce', reason: { a: 1 } }))?.words).toBeNull()
  })

  it.each([[7], [null], [['m-1']], [''], ['m 1'], ['m\u0000'], ['m'.repeat(300)]])(
    'has no tag by %j',
    async (mid) => {
      expect(await one({ event: 'delivered', mid })).toMatchObject({ kind: 'delivered', tag: null })
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
  ])('is passed over when it is %j, and its neighbours are not', async (fields) => {
    const events = await read([
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

  it.each(['', 'null', '{}', '[', '"x"', '[]', `${'['.repeat(5000)}`, '\u0000'])(
    'is none in %j',
    async (body) => {
      expect(await read(null, Buffer.from(body))).toEqual([])
    },
  )
})

it('reads three thousand events in far less than a second', async () => {
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
  const readAll = async () => {
    let count = 0
    for (const call of signed) {
      const reading = await readSendgridEvents(call, signer.publicKey)
      if (reading.kind === 'events') count += reading.events.length
    }
    expect(count).toBe(3000)
  }
  await expectBelow(500, () => computingTime(readAll))
})

it('lets everybody else have a turn while it reads thousands of bounces', async () => {
  const fields = {
    event: 'bounce',
    type: 'bounce',
    bounce_classification: 'Unclassified',
    reason: '550 Sorry',
  }
  let turns = 0
  let isRead = false
  const takeTurns = () => {
    turns += 1
    if (!isRead) setImmediate(takeTurns)
  }
  setImmediate(takeTurns)
  expect(await read(Array.from({ length: 2000 }, () => anItem(fields)))).toHaveLength(2000)
  isRead = true
  expect(turns).toBeGreaterThan(20)
})
