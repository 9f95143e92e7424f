import { createServer } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProviderEvent } from '../../providers/events.ts'
import { createSes } from '../../providers/ses.ts'
import { readSesEvents } from '../../providers/ses-events.ts'
import { confirmSubscription, createCertificateStore } from '../../providers/sns.ts'
import { closedAfterEach } from '../closing.ts'
import { onLoopback, readBody } from '../loopback.ts'
import { until } from '../until.ts'
import { aCopy, aLetter, UNSTOPPED } from './a-mail.ts'
import { startSesSimulator } from './ses.ts'
import { type SnsSimulator, startSnsSimulator } from './sns.ts'

describe('the simulator of SNS, heard by our own reader,', () => {
  let sns: SnsSimulator
  const opened = closedAfterEach()
  beforeEach(async () => {
    sns = opened(await startSnsSimulator())
  })

  /** Believes what is signed, confirms what it is asked to, and refuses while `isBusy`. */
  async function aListener() {
    const heard: ProviderEvent[] = []
    const types: string[] = []
    const listener = { heard, types, url: new URL('http://127.0.0.1'), isBusy: false }
    const fetchCertificate = createCertificateStore({ baseUrl: sns.url })
    const server = createServer(async (request, response) => {
      const body = await readBody(request)
      if (listener.isBusy) return response.writeHead(500).end()
      types.push(String(request.headers['content-type']))
      const reading = await readSesEvents(
        { headers: request.headers, body, now: new Date() },
        { expectedTopic: sns.topicArn, fetchCertificate },
      )
      if (reading.kind === 'forged') return response.writeHead(401).end()
      if (reading.kind === 'untimely') return response.writeHead(503).end()
      if (reading.kind === 'events') heard.push(...reading.events)
      else await confirmSubscription(reading.url, { baseUrl: sns.url })
      return response.end()
    })
    listener.url = new URL('/hook', opened(await onLoopback(server)).url)
    return listener
  }

  async function aSes(options: Partial<Parameters<typeof startSesSimulator>[0]> = {}) {
    const ses = opened(await startSesSimulator({ reports: { sns }, ...options }))
    const send = (to: string, id = '1') =>
      createSes({ ...ses, baseUrl: ses.url }).send(
        aLetter(),
        [aCopy({ to, messageId: `<${id}@x.test>` })],
        UNSTOPPED,
      )
    return { ses, send }
  }
  const kinds = (events: readonly ProviderEvent[]) => events.map(({ kind, tag }) => `${kind} ${tag}`)

  it('asks before it sends anything, and sends it as text', async () => {
    const listener = await aListener()
    await sns.publish({ eventType: 'Send' })
    expect(sns.posts).toEqual([])
    expect(await sns.subscribe(listener.url)).toBe(true)
    await sns.publish({ eventType: 'Send' })
    expect(sns.posts.map(({ type, status }) => [type, status])).toEqual([
      ['SubscriptionConfirmation', 200],
      ['Notification', 200],
    ])
    expect(new Set(listener.types)).toEqual(new Set(['text/plain; charset=UTF-8']))
    expect(listener.heard).toMatchObject([{ kind: 'accepted' }])
  })

  it('does not take a visit with another token for a confirmation', async () => {
    const { url: endpoint } = opened(await onLoopback(createServer((_, response) => response.end())))
    expect(await sns.subscribe(endpoint)).toBe(false)
    const visit = new URL(`/?Action=ConfirmSubscription&TopicArn=${sns.topicArn}&Token=guess`, sns.url)
    expect((await fetch(visit)).status).toBe(404)
    expect(sns.isConfirmed(endpoint)).toBe(false)
  })

  it('comes again until it is taken, under the same id', async () => {
    // So many that it does not give up before this test has looked.
    sns = opened(await startSnsSimulator({ tries: 1_000 }))
    const listener = await aListener()
    await sns.subscribe(listener.url)
    listener.isBusy = true
    const published = sns.publish({ eventType: 'Send' })
    await until('two tries', async () => sns.posts.length >= 3)
    listener.isBusy = false
    await published
    expect(listener.heard).toHaveLength(1)
    expect(new Set(sns.posts.slice(1).map(({ messageId }) => messageId)).size).toBe(1)
  })

  it('repeats and shuffles on demand', async () => {
    const listener = await aListener()
    await sns.subscribe(listener.url)
    sns.hold()
    for (const mid of ['1', '2', '3'])
      await sns.publish({ eventType: 'Send', mail: { tags: { mid: [mid] } } })
    expect(listener.heard).toEqual([])
    await sns.release({ copies: 2, pick: () => 0.99 })
    expect(listener.heard.map(({ tag }) => tag)).toEqual(['3', '3', '2', '2', '1', '1'])
    expect(new Set(listener.heard.map(({ id }) => id)).size).toBe(3)
  })

  it.each([
    ['ann@x.test', ['accepted 1', 'delivered 1']],
    ['success@simulator.amazonses.com', ['accepted 1', 'delivered 1']],
    ['bounce+any@simulator.amazonses.com', ['accepted 1', 'bounced 1']],
    ['suppressionlist@simulator.amazonses.com', ['accepted 1', 'bounced 1']],
    ['ooto@simulator.amazonses.com', ['accepted 1', 'delivered 1', 'accepted 1']],
    ['complaint@simulator.amazonses.com', ['accepted 1', 'delivered 1', 'complained 1']],
    ['bounced@resend.dev', ['accepted 1', 'bounced 1']],
    ['complained@resend.dev', ['accepted 1', 'delivered 1', 'complained 1']],
  ])('tells what becomes of a mail to %s', async (to, expected) => {
    const listener = await aListener()
    await sns.subscribe(listener.url)
    const { send } = await aSes()
    await send(to)
    await until('all events', async () => listener.heard.length >= expected.length)
    expect(kinds(listener.heard)).toEqual(expected)
  })

  it('can be early: everything is told before the sender has its answer', async () => {
    const listener = await aListener()
    await sns.subscribe(listener.url)
    const { send } = await aSes({ reports: { sns, isEarly: true } })
    const sending = send('ann@x.test').then(() => listener.heard.length)
    expect(await sending).toBe(2)
  })

  it('speaks as an identity too, by which a mail is found through its header', async () => {
    const listener = await aListener()
    await sns.subscribe(listener.url)
    const { ses, send } = await aSes({ reports: { sns, form: 'identity', isEarly: true } })
    await send('bounce@simulator.amazonses.com', '0192ab')
    expect(kinds(listener.heard)).toContain('bounced 0192ab')
    const [mail] = ses.ledger
    if (mail) await ses.report(mail, { kind: 'Click', link: 'https://x.test/' })
    expect(listener.heard.at(-1)).toMatchObject({ kind: 'clicked', url: 'https://x.test/', tag: '0192ab' })
  })
})
