import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { closedAfterEach } from '../test/closing.ts'
import { onLoopback } from '../test/loopback.ts'
import { confirmSubscription, createCertificateStore, NoCertificate } from './sns.ts'
import { certificateUrl, isTopicArn, subscriptionUrl } from './sns-addresses.ts'

const TOPIC = 'arn:aws:sns:us-east-1:123456789012:events'
const PEM = '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----\n'
const CERTIFICATE = new URL('https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem')
const CONFIRMATION = `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=1`

const opened = closedAfterEach()

async function aServer(answer: RequestListener): Promise<{ url: URL; visits: string[] }> {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  const { url } = opened(await onLoopback(server))
  return { url, visits }
}

describe('an address of Amazon SNS', () => {
  it.each([
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0a1b.pem',
    'https://sns.eu-south-2.amazonaws.com/a/b-c_d.pem',
    'https://sns.cn-north-1.amazonaws.com.cn/x.pem',
  ])('may hold a certificate: %s', (text) => {
    expect(certificateUrl(text)?.href).toBe(text)
  })

  const HOSTS = [
    'http://sns.us-east-1.amazonaws.com/',
    'https://sns.us-east-1.amazonaws.com.evil.test/',
    'https://evil.test/sns.us-east-1.amazonaws.com/',
    'https://evil.test#sns.us-east-1.amazonaws.com/',
    'https://evil.test?sns.us-east-1.amazonaws.com/',
    'https://sns.us-east-1.amazonaws.com@evil.test/',
    'https://user@sns.us-east-1.amazonaws.com/',
    'https://user:pass@sns.us-east-1.amazonaws.com/',
    'https://sns.us-east-1.amazonaws.com:443/',
    'https://sns.us-east-1.amazonaws.com:8443/',
    'https://sns.us-east-1.amazonaws.com\\@evil.test/',
    'https://sns.us-east-1.amazonaws.com./',
    'https://evilsns.us-east-1.amazonaws.com/',
    'https://x.sns.us-east-1.amazonaws.com/',
    'https://sns.evil.amazonaws.com/',
    'https://sns.us-east-9.amazonaws.com/',
    'https://sns.s3.amazonaws.com/',
    'https://s3.us-east-1.amazonaws.com/',
    'https://sns.us-east-1.amazonaws.com.cn/',
    'https://sns.cn-north-1.amazonaws.com/',
    'https://SNS.us-east-1.amazonaws.com/',
    'https://sns.us-east-1.amazonaws.com\t/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https:sns.us-east-1.amazonaws.com/',
    '//sns.us-east-1.amazonaws.com/',
    ' https://sns.us-east-1.amazonaws.com/',
  ]
  it.each(HOSTS)('is not %j', (host) => {
    expect(certificateUrl(`${host}x.pem`)).toBeNull()
    expect(subscriptionUrl(CONFIRMATION.replace(/^https:\/\/[^/]+\//, host), TOPIC)).toBeNull()
  })

  it.each([
    'x.pem?a=1',
    'x.pem#a',
    'x.txt',
    '',
    '../x.pem',
    'a/../x.pem',
    'x%2e.pem',
    'x.pem\n',
    '.pem',
    'a//x.pem',
  ])('holds no certificate at %j', (path) => {
    expect(certificateUrl(`https://sns.us-east-1.amazonaws.com/${path}`)).toBeNull()
  })

  it('confirms the subscription to one topic and does nothing else', () => {
    expect(subscriptionUrl(CONFIRMATION, TOPIC)?.href).toBe(CONFIRMATION)
    for (const [part, other] of [
      ['ConfirmSubscription', 'DeleteTopic'],
      ['events', 'others'],
      ['Token=1', 'Token=1#x'],
      ['Token=1', 'Token=1\n'],
      ['/?', '/x?'],
      ['?', ''],
    ] as const)
      expect(subscriptionUrl(CONFIRMATION.replace(part, other), TOPIC)).toBeNull()
  })

  it.each([
    TOPIC,
    'arn:aws-us-gov:sns:us-gov-west-1:123456789012:a_B-1',
    'arn:aws-cn:sns:cn-north-1:123456789012:x',
  ])('may be the topic %s', (text) => {
    expect(isTopicArn(text)).toBe(true)
  })

  it.each([
    '',
    'events',
    `${TOPIC} `,
    `${TOPIC}\n`,
    `${TOPIC}:1b2c`,
    TOPIC.replace('sns', 'sqs'),
    TOPIC.replace('us-east-1', 'us-east-9'),
    TOPIC.replace('123456789012', '1234'),
    TOPIC.replace('events', ''),
    TOPIC.replace('aws', 'gcp'),
  ])('is not the topic %j', (text) => {
    expect(isTopicArn(text)).toBe(false)
  })
})

describe('the store of certificates', () => {
  it('fetches each once, for however many who ask at the same time', async () => {
    const { url, visits } = await aServer((_, response) => setTimeout(() => response.end(PEM), 30))
    const fetchCertificate = createCertificateStore({ baseUrl: url })
    expect(await Promise.all([1, 2, 3].map(() => fetchCertificate(CERTIFICATE)))).toEqual([PEM, PEM, PEM])
    expect(await fetchCertificate(CERTIFICATE)).toBe(PEM)
    expect(visits).toEqual(['GET /SimpleNotificationService-1.pem'])
  })

  it('goes to no other address, whatever stands in for Amazon', async () => {
    const { url, visits } = await aServer((_, response) => response.end(PEM))
    const fetchCertificate = createCertificateStore({ baseUrl: url })
    await expect(fetchCertificate(new URL('https://evil.test/x.pem'))).rejects.toThrow(NoCertificate)
    await expect(fetchCertificate(new URL('http://127.0.0.1/x.pem'))).rejects.toThrow(NoCertificate)
    expect(visits).toEqual([])
  })

  it('remembers what went wrong for a while, and tries again then', async () => {
    let isBack = false
    const { url, visits } = await aServer((_, response) =>
      isBack ? response.end(PEM) : response.writeHead(503).end(),
    )
    let now = 0
    const fetchCertificate = createCertificateStore({ baseUrl: url, now: () => now })
    await expect(fetchCertificate(CERTIFICATE)).rejects.toThrow('503')
    isBack = true
    await expect(fetchCertificate(CERTIFICATE)).rejects.toThrow('503')
    expect(visits).toHaveLength(1)
    now += 30_000
    expect(await fetchCertificate(CERTIFICATE)).toBe(PEM)
  })

  it.each([
    ['a page', 200, '<html>'],
    ['nothing', 404, ''],
    ['a refusal', 403, PEM],
    ['far too much', 200, `${PEM}${'x'.repeat(1_000_000)}`],
    ['a way to somewhere else', 302, PEM],
  ])('takes %s for no certificate', async (_, status, body) => {
    const { url, visits } = await aServer((__, response) =>
      response.writeHead(status, { location: '/elsewhere.pem' }).end(body),
    )
    await expect(createCertificateStore({ baseUrl: url })(CERTIFICATE)).rejects.toThrow(NoCertificate)
    expect(visits).toHaveLength(1)
  })

  it('keeps a few only', async () => {
    const { url, visits } = await aServer((_, response) => response.end(PEM))
    const fetchCertificate = createCertificateStore({ baseUrl: url })
    const at = (n: number) => fetchCertificate(new URL(`https://sns.us-east-1.amazonaws.com/${n}.pem`))
    for (let n = 0; n < 17; n++) await at(n)
    await at(16)
    expect(visits).toHaveLength(17)
    await at(0)
    expect(visits).toHaveLength(18)
  })
})

describe('the confirmation of a subscription', () => {
  const confirm = (baseUrl: URL) => confirmSubscription(new URL(CONFIRMATION), { baseUrl })

  it('is one visit to the very address', async () => {
    const { url, visits } = await aServer((_, response) => response.end('<ConfirmSubscriptionResponse/>'))
    expect(await confirm(url)).toBe(true)
    expect(visits).toEqual([`GET /?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=1`])
  })

  it('follows nobody elsewhere, and has failed when it is refused or nobody answers', async () => {
    const elsewhere = await aServer((_, response) => response.end())
    const astray = await aServer((_, response) =>
      response.writeHead(302, { location: elsewhere.url.href }).end(),
    )
    expect(await confirm(astray.url)).toBe(false)
    expect(elsewhere.visits).toEqual([])
    const refusing = await aServer((_, response) => response.writeHead(400).end())
    expect(await confirm(refusing.url)).toBe(false)
    const dead = await aServer((request) => request.socket.destroy())
    expect(await confirm(dead.url)).toBe(false)
  })

  it('does not listen for ever', async () => {
    let written = 0
    const endless = await aServer((_, response) => {
      const more = () => {
        if (response.destroyed) return
        written += 10_000
        response.write('x'.repeat(10_000), () => setImmediate(more))
      }
      more()
    })
    expect(await confirm(endless.url)).toBe(true)
    expect(written).toBeLessThan(50_000_000)
  })
})
