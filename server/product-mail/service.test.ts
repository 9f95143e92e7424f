import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Jobs, startJobs } from '../platform/jobs.ts'
import { createLog } from '../platform/log.ts'
import { createSecrets } from '../platform/secrets.ts'
import type { Copy, Letter, Outcome, Provider } from '../providers/provider.ts'
import { createSmtpRelay, TIMEOUTS } from '../providers/smtp.ts'
import { freshDatabase, type TestDatabase } from '../test/database.ts'
import { ownTime } from '../test/own-time.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { until } from '../test/until.ts'
import { createProductMail, PRODUCT_MAIL, type ProductMail } from './service.ts'

/** The same kind of job without the long waits. */
const QUICK = { ...PRODUCT_MAIL, options: { ...PRODUCT_MAIL.options, retryDelay: 1, retryDelayMax: 1 } }
const CODE = '271828'
const LINK = 'https://postrider.test/verify-email?userId=7&code=271828'
const MAIL: ProductMail = {
  to: 'ann@x.test',
  subject: 'Your code for Postrider',
  content: {
    preview: 'Your code',
    heading: 'Confirm your address',
    intro: ['Enter this code.'],
    code: CODE,
    button: { label: 'Confirm', url: LINK },
    reason: 'You signed up.',
  },
}

let database: TestDatabase
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(() => database[Symbol.asyncDispose]())

async function aService(provider: Sender) {
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const jobs: Jobs = await startJobs({ url: database.url, log, kinds: [QUICK], works: true })
  const secrets = createSecrets('a key that is long enough for a test')
  const mail = createProductMail({ jobs, secrets, provider, mailFrom: 'mail@postrider.localhost', log })
  stops.push(provider.close, jobs.stop)
  return { mail, lines, send: () => database.db.transaction().execute((tx) => mail.send(tx, MAIL)) }
}

type Sender = Pick<Provider, 'send' | 'close'>
type Try = { letter: Letter; copies: readonly Copy[] }

/** Answers what it is told, one outcome for each try, then accepts. */
function aProvider(...outcomes: Outcome[]): Sender & { tries: Try[] } {
  const tries: Try[] = []
  return {
    tries,
    async send(letter, copies) {
      tries.push({ letter, copies })
      return copies.map(() => outcomes.shift() ?? { kind: 'accepted', id: '1' })
    },
    async close() {},
  }
}

const states = async (): Promise<string[]> => {
  const { rows } = await sql<{ state: string }>`
    select state::text from pgboss.job where name = ${PRODUCT_MAIL.name} order by created_on`.execute(
    database.db,
  )
  return rows.map(({ state }) => state)
}
const isDone = async () => (await states()).every((state) => state === 'completed')
/** The queue waits a few seconds before each repetition. */
const REPEATED_MS = 30_000

it('is repeated for about an hour, never more than two minutes apart', () => {
  const { retryLimit = 0, retryDelay = 0, retryDelayMax = 0 } = PRODUCT_MAIL.options
  // The queue waits between once and twice the half of this, at random.
  const longest = Array.from({ length: retryLimit }, (_, n) =>
    Math.min(retryDelayMax, retryDelay * 2 ** (n + 1)),
  )
  const minutes = longest.reduce((sum, seconds) => sum + seconds, 0) / 60
  expect(longest[0]).toBe(4)
  expect(Math.max(...longest)).toBe(120)
  expect(minutes).toBeGreaterThan(50)
  expect(minutes).toBeLessThan(70)
})

it('is not given up before the relay is, which would be sent another copy', () => {
  const { connectMs, replyMs, dotMs } = TIMEOUTS
  // The greeting, EHLO, STARTTLS, EHLO again, AUTH, MAIL, RCPT and DATA.
  const longestMs = connectMs + 8 * replyMs + dotMs
  expect(1000 * (PRODUCT_MAIL.options.expireInSeconds ?? 0)).toBeGreaterThan(longestMs)
})

describe('a mail of the product', () => {
  it('leaves with the transaction that it belongs to, and not without', async () => {
    const provider = aProvider()
    const { mail, send } = await aService(provider)
    await mail.work()
    await expect(
      database.db.transaction().execute(async (tx) => {
        await mail.send(tx, MAIL)
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    const passed = ownTime()
    await send()
    await until('it is tried', async () => provider.tries.length > 0)
    expect(passed()).toBeLessThan(2000)
    await until('the queue is done with it', isDone)
    expect(await states()).toHaveLength(1)
    expect(provider.tries).toHaveLength(1)
    expect(provider.tries[0]).toMatchObject({
      letter: {
        from: { name: 'Postrider', address: 'mail@postrider.localhost' },
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      },
      copies: [
        {
          to: { name: '', address: 'ann@x.test' },
          messageId: expect.stringMatching(/^<[\w-]{36}@postrider\.localhost>$/),
        },
      ],
    })
  })

  it('stands unreadable in the database while it waits and after', async () => {
    const provider = aProvider({
      kind: 'try-later',
      reason: `450 <ann@x.test> ${CODE} ${LINK}`,
      afterMs: null,
      about: 'mail',
    })
    const { mail, send, lines } = await aService(provider)
    await send()
    const dump = async () => {
      const { rows } = await sql`select * from pgboss.job where name = ${PRODUCT_MAIL.name}`.execute(
        database.db,
      )
      const text = JSON.stringify(rows)
      return (
        text +
        [...text.matchAll(/[\w+/=-]{40,}/g)].map(([word]) => Buffer.from(word, 'base64url').toString()).join()
      )
    }
    const expectNothing = (text: string) => {
      for (const secret of [CODE, 'verify-email', 'ann@x.test', 'Confirm']) expect(text).not.toContain(secret)
    }
    expectNothing(await dump())
    await mail.work()
    await until('it is repeated', async () => provider.tries.length === 2, REPEATED_MS)
    expectNothing(await dump())
    expectNothing(lines.join())
    expect(lines.join()).toContain('450 <…> … …')
  })

  it('is tried again as the very same mail after try-later and after unknown', async () => {
    const provider = aProvider(
      { kind: 'try-later', reason: '451 busy', afterMs: null, about: 'mail' },
      { kind: 'unknown', reason: 'silence' },
    )
    const { mail, send } = await aService(provider)
    await mail.work()
    await send()
    await until('it is repeated', async () => provider.tries.length === 3, REPEATED_MS)
    const [first, second, third] = provider.tries
    expect(first?.letter.text).toContain(CODE)
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    await until('the queue is done with it', isDone)
  })

  it('is given up when it is refused, with a warning that names nobody', async () => {
    const provider = aProvider({ kind: 'rejected', reason: '550 no mailbox for ann@x.test' })
    const { mail, send, lines } = await aService(provider)
    await mail.work()
    await send()
    await until('it is given up', async () => lines.some((line) => line.includes('given up')))
    await until('the queue is done with it', isDone)
    expect(provider.tries).toHaveLength(1)
    const warning = lines.find((line) => line.includes('given up')) ?? ''
    expect(warning).toContain('550 no mailbox for …')
    expect(warning).toContain('"level":"warn"')
    expect(lines.join()).not.toContain('ann@x.test')
  })

  it('arrives over a relay that fails first, with one Message-ID and one code', {
    tags: 'thorough',
  }, async () => {
    const relay = await startSmtpSimulator()
    relay.failNext(
      { stage: 'rcpt', does: { code: 451, text: 'later' } },
      { stage: 'dot', does: 'drop', afterAccepting: true },
    )
    const { mail, send } = await aService(createSmtpRelay({ url: relay.url }))
    stops.unshift(relay.close)
    await mail.work()
    await send()
    await until('it has arrived', async () => relay.ledger.length === 2 && (await isDone()), REPEATED_MS)
    const ids = relay.ledger.map(({ headers }) => new Map(headers).get('Message-ID'))
    expect(new Set(ids).size).toBe(1)
    for (const { raw } of relay.ledger) expect(raw).toContain(CODE)
  })
})
