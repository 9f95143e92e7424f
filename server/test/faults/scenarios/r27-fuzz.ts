import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, it } from 'vitest'
import type { InboxItem } from '../../../../contract/inbox.ts'
import type { Settings } from '../../../../contract/settings.ts'
import { aUser, type SignedIn, signedIn } from '../../accounts.ts'
import { send } from '../../campaigns.ts'
import { aMail, anOwner, deliver, INBOX_ENV, received } from '../../inbox.ts'
import type { RunningApp } from '../../running-app.ts'
import { anAppWithBot } from '../../telegram.ts'
import { mulberry32 } from '../chance.ts'
import { demandsOf } from '../demands.ts'
import { complaintsAbout } from '../fuzz/complaints.ts'
import {
  everyNaughtyRequest,
  type HostileRequest,
  hostileRequest,
  type Known,
  type Operation,
  operationsOf,
  PAGES,
  plainRequest,
} from '../fuzz/requests.ts'
import { seeds, sized, timeLimit } from '../size.ts'

/** Of every call; there are some sixty. A third of them is made by nobody who is signed in. */
const SIGNED_IN = sized({ ci: 24, full: 220 })
const SIGNED_OUT = sized({ ci: 12, full: 110 })
/** Every naughty text in every place costs minutes. */
const SWEEPS = sized({ ci: false, full: true })
const SECRET = 'a_secret_of_more_than_128_bits_0123456789'
const PUBLIC_URL = 'https://post.example.test'
/** Nobody listens there: what would go to a provider ends at once. */
const NOWHERE = 'http://127.0.0.1:1'

describe('R27 every call of the interface', () => {
  for (const seed of seeds({ ci: 1, full: 1 }))
    it(
      `answers whatever is sent to it, in words and without failing (seed ${seed})`,
      () => play(seed),
      timeLimit(600),
    )
})

async function play(seed: number): Promise<void> {
  const demands = demandsOf('R27')
  const chance = mulberry32(seed)
  await using app = await anAppWithBot({
    ...INBOX_ENV,
    PUBLIC_URL,
    LOCAL_MAILBOX: 'on',
    TELEGRAM_WEBHOOK_SECRET: SECRET,
    RESEND_BASE_URL: NOWHERE,
    SENDGRID_BASE_URL: NOWHERE,
    MAILGUN_BASE_URL: NOWHERE,
    SES_BASE_URL: NOWHERE,
    SNS_CERT_BASE_URL: NOWHERE,
  })
  const { running } = app
  const owner = await aFullHouse(running)
  const document = (await running.browser().get('/api/openapi.json')).json()
  const operations = operationsOf(document)

  const complaints: string[] = []
  const statuses = new Map<number, number>()
  const before = retainedMegabytes()
  for (const operation of [...operations, ...PAGES])
    for (const { isSignedIn, ...request } of requestsTo(operation, owner.known, chance)) {
      // Is never answered to the end: the tests of live/ have it.
      if (isSignedIn && operation.path === '/api/events') continue
      const browser = isSignedIn ? await owner.browserFor(operation) : running.browser()
      const headers = { origin: PUBLIC_URL, 'x-telegram-bot-api-secret-token': SECRET, ...request.headers }
      const answer = await browser.send({ ...request, headers })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const found = complaintsAbout(answer, operation.path.startsWith('/api/'))
      complaints.push(...found.map((complaint) => `${complaint}: ${shown(request)}`))
    }

  const made = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  demands.note('calls', made)
  demands.note('answers', [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '))
  demands.atLeast('different calls of the interface', 60, operations.length)
  // Otherwise all of them would have ended at the first door.
  demands.atLeast('of a hundred answers were a success', 5, ((statuses.get(200) ?? 0) / made) * 100)
  demands.none('answers that are no plain sentence, or a failure of ours', complaints)
  demands.none(
    'what was logged as a failure',
    running
      .logged()
      .split('\n')
      .filter((line) => line.includes('a request failed')),
  )
  demands.exactly('fields that all objects have got by it', 0, Object.keys(Object.prototype).length)
  demands.atMost('memory that stays taken', 50, retainedMegabytes() - before, 'MB')
  const after = await aUser(running)
  await send(after.browser, {}, { origin: PUBLIC_URL })
  demands.hold()
}

function* requestsTo(operation: Operation, known: Known, chance: () => number) {
  if (operation.method === 'GET') yield { isSignedIn: true, ...plainRequest(operation, known) }
  for (let count = 0; count < SIGNED_IN + SIGNED_OUT; count += 1)
    yield { isSignedIn: count < SIGNED_IN, ...hostileRequest(operation, known, chance) }
  if (SWEEPS)
    for (const request of everyNaughtyRequest(operation, known, chance))
      yield { isSignedIn: true, ...request }
}

const shown = ({ method, path, payload }: HostileRequest): string =>
  `${method} ${path.slice(0, 200)} ${payload?.toString('latin1').slice(0, 300) ?? ''}`

/** What garbage collection leaves, which alone tells whether hostile requests pile up somewhere. */
function retainedMegabytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed / 2 ** 20
}

type House = {
  browserFor(operation: Operation): Promise<SignedIn['browser']>
  known: Known
}

/** Somebody who has one of everything, so that a call finds what it is about. */
async function aFullHouse(running: RunningApp): Promise<House> {
  const { browser, userId, address } = await anOwner(running)
  const other = await aUser(running)
  const reporting = await aUser(running)
  const ask = async <T>(method: string, path: string, body: unknown, who = browser): Promise<T> => {
    const answer = await who.send({
      method,
      path,
      payload: JSON.stringify(body),
      headers: { origin: PUBLIC_URL, 'content-type': 'application/json' },
    })
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
    return answer.json() as T
  }
  const sender = { fromName: 'Ann', fromEmail: 'ann@example.test' }
  await ask('POST', '/api/settings', { provider: 'sendgrid', ...sender, apiKey: 'SG.x' }, reporting.browser)
  const { webhookUrl } = (await reporting.browser.get('/api/settings')).json() as Settings
  const letter = { name: 'News', subject: 'Hello', body: 'How are you?' }
  const template = await ask<{ id: string }>('POST', '/api/templates', letter)
  const draft = '11111111-1111-4111-8111-111111111111'
  await ask('PUT', `/api/drafts/${draft}`, {
    recipients: ['bob@example.test'],
    subject: 'Hello',
    body: '',
    senderName: '',
    replyTo: '',
  })
  const campaign = await send(browser, {}, { origin: PUBLIC_URL })
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  await deliver(port, address, aMail())
  const [message] = (await received(running, { browser })) as [InboxItem]

  const ids: Record<string, string> = {
    '/api/templates/': template.id,
    '/api/drafts/': draft,
    '/api/email-history/': campaign.id,
  }
  const names: Record<string, string> = {
    inboxId: message.inboxId,
    messageId: message.messageId,
    index: '0',
    provider: 'sendgrid',
    token: new URL(webhookUrl ?? '').pathname.split('/').at(-1) ?? '',
    telegramUserId: '7',
  }
  return {
    // A change of provider, or the end of a session, would end the calls after it at the first door.
    async browserFor({ path }) {
      if (path === '/api/settings') return other.browser
      return path === '/api/auth/logout' ? signedIn(running, userId) : browser
    },
    known: (path, parameter) =>
      parameter === 'id'
        ? Object.entries(ids).find(([beginning]) => path.startsWith(beginning))?.[1]
        : names[parameter],
  }
}
