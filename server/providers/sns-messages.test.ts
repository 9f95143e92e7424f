import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SnsEnvelope, type SnsSimulator, startSnsSimulator } from '../test/simulators/sns.ts'
import { STRANGERS_KEY } from '../test/simulators/sns-certificate.ts'
import type { WebhookReading } from './events.ts'
import { readSesEvents } from './ses-events.ts'
import { createCertificateStore, type FetchCertificate } from './sns.ts'
import { isTopicArn } from './sns-addresses.ts'

let sns: SnsSimulator
let fetchCertificate: FetchCertificate
beforeAll(async () => {
  sns = await startSnsSimulator()
  fetchCertificate = createCertificateStore({ baseUrl: sns.url })
})
afterAll(() => sns.close())

const read = (
  body: SnsEnvelope | string | Buffer,
  options: { expectedTopic?: string | null; now?: Date; fetchCertificate?: FetchCertificate } = {},
): Promise<WebhookReading> =>
  readSesEvents(
    {
      headers: {},
      body: Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      now: options.now ?? new Date(),
    },
    {
      expectedTopic: options.expectedTopic === undefined ? sns.topicArn : options.expectedTopic,
      fetchCertificate: options.fetchCertificate ?? fetchCertificate,
    },
  )
const events = async (reading: Promise<WebhookReading>) => {
  const known = await reading
  if (known.kind !== 'events') throw new Error(`it is ${known.kind}`)
  return known.events
}
const nothing = { kind: 'events', events: [] }

describe('a message of SNS', () => {
  const forged = { kind: 'forged', why: expect.any(String) }
  const confirmation = (parts: Partial<SnsEnvelope> = {}) =>
    sns.envelope({
      Type: 'SubscriptionConfirmation',
      Token: 't1',
      Message: 'Visit it.',
      SubscribeURL: `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${sns.topicArn}&Token=t1`,
      ...parts,
    })

  it.each(['1', '2'])(
    'holds under signature version %s, with and without a subject',
    async (SignatureVersion) => {
      expect(await read(sns.envelope({ SignatureVersion }))).toEqual(nothing)
      expect(await read(sns.envelope({ SignatureVersion, Subject: 'Amazon SES' }))).toEqual(nothing)
    },
  )

  it('holds in whatever order its fields come, and fetches one certificate for all', async () => {
    const before = sns.visits.length
    const turned = Object.fromEntries(Object.entries(sns.envelope()).toReversed())
    expect(await read(turned)).toEqual(nothing)
    expect(await read(sns.envelope({ Message: '"ü 中 😀 \\n"' }))).toEqual(nothing)
    expect(sns.visits.length - before).toBeLessThanOrEqual(1)
  })

  it.each(['Message', 'MessageId', 'Timestamp', 'Type', 'Subject'])(
    'is forged with another %s',
    async (name) => {
      const other = {
        Message: '{"a":1}',
        MessageId: 'm-2',
        Timestamp: new Date(Date.now() - 60_000).toISOString(),
      }
      const more = { Type: 'UnsubscribeConfirmation', Subject: 'Added' }
      expect(await read({ ...sns.envelope(), [name]: { ...other, ...more }[name] ?? '' })).toEqual(forged)
    },
  )

  it('is forged without a signature, with an empty one, a stranger’s, or one under another version', async () => {
    const { Signature, ...unsigned } = sns.envelope()
    expect(await read(unsigned)).toEqual(forged)
    expect(await read({ ...unsigned, Signature: '' })).toEqual(forged)
    expect(await read({ ...unsigned, Signature: 'AAAA' })).toEqual(forged)
    expect(await read(sns.envelope({}, { key: STRANGERS_KEY }))).toEqual(forged)
    expect(await read({ ...sns.envelope(), SignatureVersion: '2' })).toEqual(forged)
    expect(await read({ ...sns.envelope(), SignatureVersion: '3' })).toEqual(forged)
    expect(await read({ ...sns.envelope(), SignatureVersion: '' })).toEqual(forged)
    const [first = ''] = Signature ?? ''
    const turned = `${first === 'A' ? 'B' : 'A'}${Signature?.slice(1)}`
    expect(await read({ ...unsigned, Signature: turned })).toEqual(forged)
  })

  it('keeps its id when its signature is written in another way: a repetition stays one', async () => {
    const message = sns.envelope({ Message: JSON.stringify({ eventType: 'Send' }) })
    const [first] = await events(read(message))
    const padded = { ...message, Signature: message['Signature']?.replace(/=+$/, '') ?? '' }
    expect(await events(read(padded))).toEqual([first])
    expect(await read({ ...message, Signature: ` ${message['Signature']}` })).toEqual(forged)
  })

  it('is forged when it comes from another topic, or when none is expected', async () => {
    const other = sns.topicArn.replace('postrider', 'others')
    expect(isTopicArn(other)).toBe(true)
    expect(await read(sns.envelope({ TopicArn: other }))).toEqual(forged)
    expect(await read(sns.envelope(), { expectedTopic: other })).toEqual(forged)
    expect(await read(sns.envelope(), { expectedTopic: null })).toEqual(forged)
    expect(await read(sns.envelope({ TopicArn: '' }), { expectedTopic: '' })).toEqual(forged)
  })

  it('may come from each of several topics that are expected, all of which have to be such', async () => {
    const other = sns.topicArn.replace('postrider', 'others')
    const both = { expectedTopic: `${other}, ${sns.topicArn}` }
    expect(await read(sns.envelope(), both)).toEqual(nothing)
    expect(await read(sns.envelope({ TopicArn: other }), both)).toEqual(nothing)
    expect(await read(sns.envelope(), { expectedTopic: `${sns.topicArn}, x` })).toEqual(forged)
    expect(await read(sns.envelope({ TopicArn: both.expectedTopic }), both)).toEqual(forged)
  })

  it('is asked for again when it is old, or from the future, and forged only without its signature', async () => {
    const untimely = { kind: 'untimely', why: expect.stringContaining('check the clock') }
    const YEAR_MS = 365 * 24 * 3_600_000
    const at = (ms: number) => sns.envelope({ Timestamp: new Date(Date.now() + ms).toISOString() })
    for (const ms of [-50 * YEAR_MS, -3_700_000, 400_000, 300 * YEAR_MS]) {
      expect(await read(at(ms))).toEqual(untimely)
      expect(await read({ ...at(ms), Message: '"another"' })).toEqual(forged)
    }
    // A clock that has lost its time: no certificate was valid then.
    expect(await read(at(0), { now: new Date('1970-01-01T00:00:10Z') })).toEqual(untimely)
    expect(await read(at(-3_500_000))).toEqual(nothing)
    expect(await read(at(200_000))).toEqual(nothing)
    expect(await read(sns.envelope({ Timestamp: '2026-99-99T99:99:99Z' }))).toEqual(forged)
  })

  it('is forged once the certificate is out of date', async () => {
    const late = new Date('2200-01-01T00:00:00Z')
    expect(await read(sns.envelope({ Timestamp: late.toISOString() }), { now: late })).toEqual({
      kind: 'forged',
      why: 'its certificate is not valid',
    })
  })

  it('lets nobody fetch a certificate from elsewhere', async () => {
    const fetched: string[] = []
    const spy: FetchCertificate = async (url) => {
      fetched.push(url.href)
      return fetchCertificate(url)
    }
    for (const SigningCertURL of [
      'https://evil.test/x.pem',
      'http://sns.us-east-1.amazonaws.com/x.pem',
      'https://sns.us-east-1.amazonaws.com@evil.test/x.pem',
      'https://sns.us-east-1.amazonaws.com/x.pem?y',
      `${sns.url.href}x.pem`,
    ])
      expect(await read(sns.envelope({ SigningCertURL }), { fetchCertificate: spy })).toEqual(forged)
    expect(fetched).toEqual([])
    const SigningCertURL = 'https://sns.us-east-1.amazonaws.com/absent.pem'
    expect(await read(sns.envelope({ SigningCertURL }))).toEqual(forged)
    expect(await read(sns.envelope(), { fetchCertificate: async () => 'no certificate' })).toEqual(forged)
  })

  it('is no forgery because its certificate cannot be had: Amazon is asked to come again', async () => {
    const away: FetchCertificate = async () => {
      throw new Error('ECONNREFUSED')
    }
    await expect(read(sns.envelope(), { fetchCertificate: away })).rejects.toMatchObject({ status: 503 })
  })

  it.each(['', 'x', '[]', 'null', '{}', '{"Type":"Notification"}', '\u0000', '{"Type":{"toString":1}}'])(
    'is not %j',
    async (body) => {
      expect(await read(body)).toEqual(forged)
      expect(await read(Buffer.from([0xff, 0xfe, 0x7b]))).toEqual(forged)
    },
  )

  it('asks for a confirmation at Amazon’s own address, once its signature holds', async () => {
    const asked = confirmation()
    expect(await read(asked)).toEqual({
      kind: 'confirmation',
      topic: sns.topicArn,
      url: new URL(asked['SubscribeURL'] ?? ''),
    })
    expect(await read({ ...asked, Token: 't2' })).toEqual(forged)
    expect(await read({ ...asked, SubscribeURL: 'https://evil.test/' })).toEqual(forged)
    expect(await read(confirmation({ TopicArn: `${sns.topicArn}2` }))).toEqual(forged)
  })

  it.each([
    'https://evil.test/?Action=ConfirmSubscription',
    'http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.us-east-1.amazonaws.com.evil.test/?Action=ConfirmSubscription',
    'https://169.254.169.254/latest/meta-data',
    '',
  ])('leads nobody to %s, even signed', async (url) => {
    const SubscribeURL = url.includes('?') ? `${url}&TopicArn=${sns.topicArn}&Token=t1` : url
    expect(await read(confirmation({ SubscribeURL }))).toEqual(forged)
  })

  it('that says good-bye is believed and means nothing', async () => {
    expect(await read(confirmation({ Type: 'UnsubscribeConfirmation' }))).toEqual(nothing)
  })
})
