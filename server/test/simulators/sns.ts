import { randomBytes, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback } from '../loopback.ts'
import { SIGNING_CERTIFICATE, SIGNING_KEY } from './sns-certificate.ts'

export type SnsEnvelope = Record<string, string>
type SnsPost = { endpoint: string; type: string; messageId: string; status: number | null }

export type SnsSimulator = {
  /** Takes the place of Amazon's hosts: the certificate lies here, and subscriptions are confirmed here. */
  url: URL
  topicArn: string
  /** Every call that was made to a subscriber; the status is null where nobody answered. */
  posts: readonly SnsPost[]
  /** Every visit to this server, by path. */
  visits: readonly string[]
  /** Asks whether this address wants the messages; tells whether it has confirmed. */
  subscribe(endpoint: URL): Promise<boolean>
  isConfirmed(endpoint: URL): boolean
  /** To all who have confirmed, until each has answered 2xx or the tries are used up. */
  publish(message: unknown): Promise<void>
  /** From now on messages are kept. */
  hold(): void
  /** Sends what was kept: each message so many times, in the order that `pick` draws (0 to 1), or as it was. */
  release(options?: { copies?: number; pick?: () => number }): Promise<void>
  /** A signed message, for whoever wants to change it on the way. */
  envelope(parts?: Partial<SnsEnvelope>, options?: { key?: string }): SnsEnvelope
  close(): Promise<void>
}

type SnsSimulatorOptions = {
  region?: string
  version?: '1' | '2'
  now?: () => number
  /** Before a message that was not taken comes again. */
  retryMs?: number
  tries?: number
}

const CERTIFICATE_PATH = '/SimpleNotificationService-0000000000000000000000000000cafe.pem'
const FIELDS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  Confirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
}

/** The sending side of Amazon SNS on loopback: its signature, its certificate, its confirmation and its patience. */
export async function startSnsSimulator(options: SnsSimulatorOptions = {}): Promise<SnsSimulator> {
  const { region = 'us-east-1', version = '1', now = Date.now, retryMs = 20, tries = 5 } = options
  const host = `https://sns.${region}.amazonaws.com`
  const topicArn = `arn:aws:sns:${region}:123456789012:postrider-events`
  const subscriptions = new Map<string, { token: string; isConfirmed: boolean }>()
  const posts: SnsPost[] = []
  const visits: string[] = []
  let kept: string[] | null = null

  const server = createServer((request, response) => {
    visits.push(request.url ?? '')
    const { pathname, searchParams } = new URL(request.url ?? '/', host)
    if (request.method === 'GET' && pathname === CERTIFICATE_PATH)
      return response.writeHead(200, { 'content-type': 'binary/octet-stream' }).end(SIGNING_CERTIFICATE)
    const subscription = [...subscriptions.values()].find(({ token }) => token === searchParams.get('Token'))
    const isAsked = searchParams.get('Action') === 'ConfirmSubscription'
    if (!subscription || !isAsked || searchParams.get('TopicArn') !== topicArn)
      return response.writeHead(404, { 'content-type': 'text/xml' }).end('<ErrorResponse/>')
    subscription.isConfirmed = true
    return response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        `<ConfirmSubscriptionResponse><SubscriptionArn>${topicArn}:1</SubscriptionArn></ConfirmSubscriptionResponse>`,
      )
  })
  const loopback = await onLoopback(server)

  function envelope(parts: Partial<SnsEnvelope> = {}, { key = SIGNING_KEY } = {}): SnsEnvelope {
    const unsigned: SnsEnvelope = {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topicArn,
      Message: '{}',
      Timestamp: new Date(now()).toISOString(),
      SignatureVersion: version,
      SigningCertURL: `${host}${CERTIFICATE_PATH}`,
      UnsubscribeURL: `${host}/?Action=Unsubscribe&SubscriptionArn=${topicArn}:1`,
    }
    for (const [name, value] of Object.entries(parts)) if (value !== undefined) unsigned[name] = value
    const names = unsigned['Type'] === 'Notification' ? FIELDS.Notification : FIELDS.Confirmation
    const text = names.flatMap((name) => (name in unsigned ? [`${name}\n${unsigned[name]}\n`] : [])).join('')
    const algorithm = unsigned['SignatureVersion'] === '2' ? 'RSA-SHA256' : 'RSA-SHA1'
    return { ...unsigned, Signature: sign(algorithm, Buffer.from(text), key).toString('base64') }
  }

  /** Whether it was taken. */
  async function post(endpoint: string, body: SnsEnvelope): Promise<boolean> {
    const { Type: type = '', MessageId: messageId = '' } = body
    const status = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'text/plain; charset=UTF-8',
        'user-agent': 'Amazon Simple Notification Service Agent',
        'x-amz-sns-message-type': type,
        'x-amz-sns-message-id': messageId,
        'x-amz-sns-topic-arn': topicArn,
      },
      body: JSON.stringify(body),
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => null,
    )
    posts.push({ endpoint, type, messageId, status })
    return status !== null && status >= 200 && status <= 299
  }

  async function postUntilTaken(endpoint: string, body: SnsEnvelope): Promise<boolean> {
    for (let left = tries; left > 0; left--) {
      if (await post(endpoint, body)) return true
      await sleep(retryMs)
    }
    return false
  }

  /** The same message, under the same id, to everybody; repetitions too. */
  async function deliver(message: string, copies = 1): Promise<void> {
    const body = envelope({ Message: message })
    for (const [endpoint, { isConfirmed }] of subscriptions)
      for (let copy = 0; isConfirmed && copy < copies; copy++) await postUntilTaken(endpoint, body)
  }

  return {
    url: loopback.url,
    topicArn,
    posts,
    visits,
    envelope,
    isConfirmed: (endpoint) => subscriptions.get(endpoint.href)?.isConfirmed ?? false,
    async subscribe(endpoint) {
      const token = randomBytes(32).toString('hex')
      const subscription = { token, isConfirmed: false }
      subscriptions.set(endpoint.href, subscription)
      await postUntilTaken(
        endpoint.href,
        envelope({
          Type: 'SubscriptionConfirmation',
          Message: `You have chosen to subscribe to the topic ${topicArn}.`,
          Token: token,
          SubscribeURL: `${host}/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=${token}`,
        }),
      )
      return subscription.isConfirmed
    },
    async publish(message) {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      if (kept) kept.push(text)
      else await deliver(text)
    },
    hold() {
      kept ??= []
    },
    async release({ copies = 1, pick } = {}) {
      const waiting = kept ?? []
      kept = null
      while (waiting.length > 0) {
        const [message] = waiting.splice(pick ? Math.floor(pick() * waiting.length) : 0, 1)
        if (message !== undefined) await deliver(message, copies)
      }
    },
    close: loopback.close,
  }
}
