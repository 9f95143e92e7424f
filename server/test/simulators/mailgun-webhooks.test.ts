import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readMailgunEvents } from '../../providers/mailgun-events.ts'
import { closedAfterEach } from '../closing.ts'
import { onLoopback, readBody } from '../loopback.ts'
import { until } from '../until.ts'
import { type MailgunSimulator, type MailgunSimulatorOptions, startMailgunSimulator } from './mailgun.ts'
import { sdk, TWO_MAILS } from './mailgun-sdk.ts'

const opened = closedAfterEach()
const aMailgun = async (options: MailgunSimulatorOptions = {}): Promise<MailgunSimulator> =>
  opened(await startMailgunSimulator({ domains: ['mg.x.tld'], ...options }))

describe('the events of the simulator', () => {
  /** Our end of a webhook: answers what it is told to, and then 200. */
  async function aWebhook(...statuses: number[]) {
    const bodies: Buffer[] = []
    const server = createServer(async (request, response) => {
      bodies.push(await readBody(request))
      response.writeHead(statuses.shift() ?? 200).end()
    })
    const { url } = opened(await onLoopback(server))
    const read = (signingKey: string) =>
      bodies.flatMap((body) => {
        const reading = readMailgunEvents({ headers: {}, body, now: new Date() }, signingKey)
        return reading.kind === 'events' ? reading.events : []
      })
    return { url, bodies, read }
  }
  const to = (...addresses: string[]) => ({
    ...TWO_MAILS,
    to: addresses,
    'recipient-variables': JSON.stringify(
      Object.fromEntries(addresses.map((address, n) => [address, { mid: `m${n}`, h0: '' }])),
    ),
  })

  it('are signed, carry the tag, and follow the fate of each address', async () => {
    const webhook = await aWebhook()
    const mailgun = await aMailgun({ webhook: { url: webhook.url } })
    const names = [
      'ann',
      'bounced',
      'complained+1',
      'suppressed',
      'deferred',
      'blocked',
      'rejected',
      'clicked',
    ]
    await sdk(mailgun).messages.create('mg.x.tld', to(...names.map((name) => `${name}@x.test`)))
    await until('all events', async () => webhook.bodies.length === 18)
    const fates = Map.groupBy(webhook.read(mailgun.signingKey), ({ tag }) => tag)
    const kinds = [...fates].map(([tag, events]) => [tag, ...events.map(({ kind }) => kind)])
    expect(kinds).toEqual([
      ['m0', 'accepted', 'delivered'],
      ['m1', 'accepted', 'bounced'],
      ['m2', 'accepted', 'delivered', 'complained'],
      ['m3', 'accepted', 'failed'],
      ['m4', 'accepted', 'deferred', 'delivered'],
      ['m5', 'accepted', 'bounced'],
      ['m6', 'failed'],
      ['m7', 'accepted', 'delivered', 'clicked'],
    ])
    expect(webhook.read('another key')).toEqual([])
  })

  it('can arrive before the answer to the call that they are about', async () => {
    const webhook = await aWebhook()
    const mailgun = await aMailgun({ webhook: { url: webhook.url, beforeReply: true } })
    await sdk(mailgun).messages.create('mg.x.tld', to('ann@x.test'))
    expect(webhook.bodies).toHaveLength(2)
  })

  it('come again until they are taken, but not after 406', async () => {
    const webhook = await aWebhook(200, 500, 503, 200, 406)
    const mailgun = await aMailgun({ webhook: { url: webhook.url, beforeReply: true, retryMs: [1, 1, 1] } })
    await sdk(mailgun).messages.create('mg.x.tld', to('bounced@x.test'))
    const [mail] = mailgun.ledger
    if (!mail) throw new Error('nothing was taken')
    await mailgun.emit(mail, { event: 'complained' })
    expect(mailgun.publisher?.posts.map(({ event, status }) => [event, status])).toEqual([
      ['accepted', 200],
      ['failed', 500],
      ['failed', 503],
      ['failed', 200],
      ['complained', 406],
    ])
  })

  it('can come twice and out of order', async () => {
    const webhook = await aWebhook()
    const publication = { times: 2, shuffled: true }
    const mailgun = await aMailgun({ webhook: { url: webhook.url, beforeReply: true, publication } })
    await sdk(mailgun).messages.create('mg.x.tld', to('complained@x.test'))
    const kinds = webhook.read(mailgun.signingKey).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual([
      'accepted',
      'accepted',
      'complained',
      'complained',
      'delivered',
      'delivered',
    ])
    expect(kinds).not.toEqual(['accepted', 'delivered', 'complained', 'accepted', 'delivered', 'complained'])
  })
})
