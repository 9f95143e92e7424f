import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { ProviderEvent } from '../../providers/events.ts'
import { createSendgrid } from '../../providers/sendgrid.ts'
import { readSendgridEvents } from '../../providers/sendgrid-events.ts'
import { onLoopback, readBody } from '../loopback.ts'
import { aCopy, aLetter, UNSTOPPED } from './a-mail.ts'
import { startSendgridSimulator } from './sendgrid.ts'
import { eventOf } from './sendgrid-events.ts'
import type { SendgridWebhook } from './sendgrid-publisher.ts'

/** A simulator, our client in front of it, and a webhook behind it that reads as ours does. */
async function aStage() {
  const sendgrid = await startSendgridSimulator()
  const events: ProviderEvent[] = []
  const bodies: string[] = []
  const statuses: number[] = []
  const receiver = createServer(async (request, response) => {
    const body = await readBody(request)
    const status = statuses.shift() ?? 200
    const reading = await readSendgridEvents(
      { headers: request.headers, body, now: new Date() },
      sendgrid.publicKey,
    )
    bodies.push(body.toString())
    if (status === 200 && reading.kind === 'events') events.push(...reading.events)
    response.writeHead(reading.kind === 'events' ? status : 401).end()
  })
  const loopback = await onLoopback(receiver)
  const url = new URL('/hook', loopback.url)
  const provider = createSendgrid({ apiKey: sendgrid.apiKey, baseUrl: sendgrid.url })
  return {
    sendgrid,
    events,
    bodies,
    /** What the webhook answers next; 200 after that. */
    answerNext: (...next: number[]) => void statuses.push(...next),
    reportTo: (parts: Partial<SendgridWebhook> = {}) => sendgrid.reportTo({ url, retryMs: 5, ...parts }),
    url,
    send: (...people: string[]) =>
      provider.send(
        aLetter(),
        people.map((name) => aCopy({ to: `${name}@x.test`, messageId: `<${name}@x.test>` })),
        UNSTOPPED,
      ),
    async [Symbol.asyncDispose]() {
      await sendgrid.close()
      await loopback.close()
    },
  }
}
const told = (events: readonly ProviderEvent[]) => events.map(({ tag, kind }) => `${tag} ${kind}`)

describe('the reports of the simulator', () => {
  it('are signed, end in a line break, and tell each mail’s story by its recipient', async () => {
    await using stage = await aStage()
    stage.reportTo()
    await stage.send('ann', 'bounced', 'blocked', 'complained', 'suppressed', 'opened', 'clicked')
    await stage.sendgrid.reported()
    expect(told(stage.events).filter((line) => !line.endsWith('accepted'))).toEqual([
      'ann delivered',
      'bounced bounced',
      'blocked bounced',
      'complained delivered',
      'complained complained',
      'suppressed failed',
      'opened delivered',
      'opened opened',
      'clicked delivered',
      'clicked clicked',
    ])
    expect(stage.bodies).toEqual([expect.stringMatching(/^\[\{.*\}\]\r\n$/)])
  })

  it('come again until they are taken', async () => {
    await using stage = await aStage()
    stage.reportTo()
    stage.answerNext(500, 404, 503)
    await stage.send('ann')
    await stage.sendgrid.reported()
    expect(stage.sendgrid.posts.map(({ status }) => status)).toEqual([500, 404, 503, 200])
    expect(told(stage.events)).toEqual(['ann accepted', 'ann delivered'])
  })

  it('come twice, in parts, and in any order', async () => {
    await using stage = await aStage()
    stage.reportTo({ duplicate: true, shuffle: true, batchMax: 7 })
    await stage.send('ann', 'bob', 'opened', 'bounced', 'clicked')
    await stage.sendgrid.reported()
    const ids = stage.events.map(({ id }) => id)
    expect(ids).toHaveLength(24)
    expect(new Set(ids).size).toBe(12)
    expect(stage.sendgrid.posts.map(({ events }) => events)).toEqual([7, 7, 7, 3])
    expect(told(stage.events)).not.toEqual(told(stage.events).toSorted())
  })

  it('can be there before the call is answered, and after an answer that never came', async () => {
    await using stage = await aStage()
    stage.reportTo({ beforeReply: true })
    let known = 0
    const sending = stage.send('ann').then((outcomes) => {
      known = stage.events.length
      return outcomes
    })
    expect(await sending).toMatchObject([{ kind: 'accepted' }])
    expect(known).toBe(2)
    stage.sendgrid.lieNext({ kind: 'reset', when: 'after' })
    expect(await stage.send('bob')).toMatchObject([{ kind: 'unknown' }])
    await stage.sendgrid.reported()
    expect(told(stage.events).slice(2)).toEqual(['bob accepted', 'bob delivered'])
  })

  it('tell whatever a test makes up', async () => {
    await using stage = await aStage()
    await stage.send('ann')
    const [mail] = stage.sendgrid.ledger
    if (!mail) throw new Error('no mail')
    const event = eventOf(mail, 'open', { sg_machine_open: true })
    await stage.sendgrid.publish([event], { url: stage.url })
    expect(stage.events).toMatchObject([{ kind: 'opened', isMachine: true, tag: 'ann' }])
  })
})
