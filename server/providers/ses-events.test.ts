import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TakenMail } from '../test/simulators/ses-mail.ts'
import { type ReportForm, type ReportKind, reportOf } from '../test/simulators/ses-reports.ts'
import { type SnsEnvelope, type SnsSimulator, startSnsSimulator } from '../test/simulators/sns.ts'
import type { WebhookReading } from './events.ts'
import { readSesEvents } from './ses-events.ts'
import { createCertificateStore, type FetchCertificate } from './sns.ts'

let sns: SnsSimulator
let fetchCertificate: FetchCertificate
beforeAll(async () => {
  sns = await startSnsSimulator()
  fetchCertificate = createCertificateStore({ baseUrl: sns.url })
})
afterAll(() => sns.close())

const aMail = (parts: Partial<TakenMail['mail']> = {}): TakenMail => ({
  id: '0100-1',
  mail: {
    from: 'Jane <mail@product.test>',
    to: ['a@x.test'],
    replyTo: [],
    subject: 'Hi',
    text: 'Attribute is not present.',
    html: '',
    headers: {},
    tags: { mid: '0192ab' },
    ...parts,
  },
  fate: 'delivered',
})
const AT = new Date('2026-12-01T10:00:00.000Z')

const read = (body: SnsEnvelope): Promise<WebhookReading> =>
  readSesEvents(
    { headers: {}, body: Buffer.from(JSON.stringify(body)), now: new Date() },
    { expectedTopic: sns.topicArn, fetchCertificate },
  )
const tell = (message: unknown) =>
  read(
    sns.envelope({
      MessageId: 'm-1',
      Message: typeof message === 'string' ? message : JSON.stringify(message),
    }),
  )
const report = (what: ReportKind, mail = aMail(), form: ReportForm = 'configuration-set') =>
  tell(reportOf(mail, what, form, AT))
const events = async (reading: Promise<WebhookReading>) => {
  const known = await reading
  if (known.kind !== 'events') throw new Error(`it is ${known.kind}`)
  return known.events
}
const nothing = { kind: 'events', events: [] }

describe('what Amazon SES reports', () => {
  const base = { id: 'm-1/0', tag: '0192ab', at: AT }
  it.each<[ReportKind, object]>([
    [{ kind: 'Send' }, { kind: 'accepted', words: null }],
    [{ kind: 'Delivery' }, { kind: 'delivered', words: '250 2.6.0 Message received' }],
    [
      { kind: 'DeliveryDelay', delayType: 'MailboxFull' },
      { kind: 'deferred', words: 'smtp; 452 4.2.2 over quota' },
    ],
    [{ kind: 'Complaint' }, { kind: 'complained', words: 'abuse' }],
    [
      { kind: 'Complaint', subType: 'OnAccountSuppressionList' },
      { kind: 'failed', words: 'On the suppression list of Amazon SES' },
    ],
    [{ kind: 'Reject' }, { kind: 'failed', words: 'Bad content' }],
    [{ kind: 'Rendering Failure' }, { kind: 'failed', words: 'Attribute is not present.' }],
    [{ kind: 'Open' }, { kind: 'opened', isMachine: false, words: null }],
    [
      { kind: 'Click', link: 'https://x.test/a' },
      { kind: 'clicked', isMachine: false, url: 'https://x.test/a', words: null },
    ],
    [
      { kind: 'Click', link: 'javascript:alert(1)' },
      { kind: 'clicked', url: null },
    ],
    [{ kind: 'Subscription', unsubscribeAll: true }, { kind: 'unsubscribed' }],
  ])('%j means %j', async (what, event) => {
    const [told, ...more] = await events(report(what))
    // Some carry no time of their own: they count from when they were told.
    const isTimed = !/Send|Reject|Rendering/.test(what.kind)
    expect(told).toMatchObject({ ...base, ...(isTimed ? {} : { at: expect.any(Date) }), ...event })
    expect(more).toEqual([])
  })

  it.each([
    ['Permanent', 'General', 'hard'],
    ['Permanent', 'NoEmail', 'hard'],
    ['Permanent', 'Suppressed', 'hard'],
    ['Permanent', 'OnAccountSuppressionList', 'hard'],
    ['Transient', 'General', 'soft'],
    ['Transient', 'MailboxFull', 'soft'],
    ['Transient', 'MessageTooLarge', 'message'],
    ['Transient', 'ContentRejected', 'message'],
    ['Transient', 'AttachmentRejected', 'message'],
    ['Undetermined', 'Undetermined', 'soft'],
  ])('a bounce that is %s, %s is %s', async (type, subType, bounce) => {
    expect(await events(report({ kind: 'Bounce', type, subType }))).toMatchObject([
      { ...base, kind: 'bounced', bounce, words: 'smtp; 550 5.1.1 user unknown' },
    ])
  })

  it('is no bounce where somebody away had a note sent in answer: the mail was taken', async () => {
    const note = { kind: 'Bounce', type: 'Transient', subType: 'General' } as const
    for (const empty of [null, { status: '', diagnosticCode: '' }])
      expect(await events(report({ ...note, report: empty }))).toMatchObject([{ ...base, kind: 'accepted' }])
  })

  it.each([
    ['General', { status: '4.4.7' }],
    ['General', { diagnosticCode: 'smtp; 451 4.3.0 try later' }],
    ['General', { action: 'failed' }],
    ['MailboxFull', null],
  ])('is a soft bounce where it is Transient, %s and says %j', async (subType, said) => {
    expect(await events(report({ kind: 'Bounce', type: 'Transient', subType, report: said }))).toMatchObject([
      { ...base, kind: 'bounced', bounce: 'soft' },
    ])
  })

  it('is about the mail or its sender where the server says so, however often it is tried', async () => {
    const said = { status: '5.7.1', diagnosticCode: 'smtp; 550 5.7.1 [192.0.2.1] blocked using a list' }
    const transient = { kind: 'Bounce', type: 'Transient', subType: 'General', report: said } as const
    expect(await events(report(transient))).toMatchObject([{ ...base, kind: 'bounced', bounce: 'message' }])
  })

  it('does not blame an address for one behind it that is gone, and names that', async () => {
    const bounce = (emailAddress: string) =>
      events(
        report({
          kind: 'Bounce',
          type: 'Permanent',
          subType: 'General',
          report: { emailAddress, status: '5.1.1' },
        }),
      )
    expect(await bounce('left@y.test')).toMatchObject([
      { bounce: 'soft', words: 'It was passed on to left@y.test and did not get there: 5.1.1' },
    ])
    for (const own of [
      'A@X.test',
      'a+news@x.test',
      'Ann Lee <a@x.test>',
      '<a@x.test>',
      'rfc822;a@x.test',
      'Ann',
      '',
    ])
      expect(await bounce(own), own).toMatchObject([{ bounce: 'hard' }])
  })

  it('is nothing where nobody left, nobody complained or no mail of ours is meant', async () => {
    expect(await report({ kind: 'Subscription', unsubscribeAll: false })).toEqual(nothing)
    expect(await report({ kind: 'Complaint', feedbackType: 'not-spam' })).toEqual(nothing)
    expect(await tell({ notificationType: 'Received', mail: {}, content: 'x' })).toEqual(nothing)
    expect(await tell({ notificationType: 'AmazonSnsSubscriptionSucceeded', message: 'x' })).toEqual(nothing)
    expect(await tell('Successfully validated SNS topic for Amazon SES event publishing.')).toEqual(nothing)
  })

  it('has an event for each recipient that it names, told apart by their places', async () => {
    const mail = aMail({ to: ['a@x.test', 'b@x.test'] })
    const bounces = await events(report({ kind: 'Bounce', type: 'Permanent', subType: 'General' }, mail))
    expect(bounces.map(({ id }) => id)).toEqual(['m-1/0', 'm-1/1'])
    expect(await events(report({ kind: 'Delivery' }, mail))).toHaveLength(2)
  })

  it('is found by our header where it carries no tags', async () => {
    const mail = aMail({ tags: {}, headers: { 'x-postrider-id': '0192cd' } })
    expect(await events(report({ kind: 'Delivery' }, mail, 'identity'))).toMatchObject([
      { kind: 'delivered', tag: '0192cd' },
    ])
    expect(await events(report({ kind: 'Delivery' }, aMail(), 'identity'))).toMatchObject([{ tag: null }])
    const odd = aMail({ tags: { mid: "0192'; drop table" } })
    expect(await events(report({ kind: 'Delivery' }, odd))).toMatchObject([{ tag: null }])
  })

  it('knows the proxy that opens every mail', async () => {
    const opened = { eventType: 'Open', mail: { tags: { mid: ['1'] } }, open: { userAgent: 'Mozilla/5.0' } }
    expect(await events(tell(opened))).toMatchObject([{ kind: 'opened', isMachine: true, tag: '1' }])
  })

  it.each([
    'null',
    '[]',
    '"x"',
    '{}',
    '{"eventType":7}',
    '{"eventType":"Bounce"}',
    '{"eventType":"Bounce","bounce":[]}',
    '{"eventType":"Delivery","delivery":"x"}',
    '{"eventType":"Complaint","complaint":null}',
    '{"eventType":"Something New","mail":{}}',
    '{"__proto__":{"eventType":"Send"}}',
    '{',
  ])('is nothing in %s', async (message) => {
    expect(await tell(message)).toEqual(nothing)
  })

  it.each([
    ['a mail that is none', { eventType: 'Send', mail: 3 }],
    ['tags that are none', { eventType: 'Send', mail: { tags: 'x', headers: [null, 3, { name: 7 }] } }],
    ['people who are none', { eventType: 'Bounce', bounce: { bouncedRecipients: [null] } }],
    ['a time that is none', { eventType: 'Open', open: { timestamp: 'yesterday' } }],
  ])('is read as far as it can be with %s', async (_, message) => {
    const [event] = await events(tell(message))
    expect(event).toMatchObject({ id: 'm-1/0', tag: null })
    expect(event?.at.getTime()).not.toBeNaN()
  })

  it('has words in one line, without signs that no database takes', async () => {
    const diagnosticCode = `smtp; 550\r\n\u0000 ${'x'.repeat(1000)}`
    const [event] = await events(
      report({ kind: 'Bounce', type: 'Permanent', subType: 'General', report: { diagnosticCode } }),
    )
    expect(event?.words).toMatch(/^smtp; 550 x{200,}…$/)
  })
})
