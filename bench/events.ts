import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { recount } from '../server/delivery/store/recount.ts'
import { openDatabase } from '../server/platform/database.ts'
import { createLog } from '../server/platform/log.ts'
import { startSendgridSimulator } from '../server/test/simulators/sendgrid.ts'
import { createSigner, eventOf, reportOf } from '../server/test/simulators/sendgrid-events.ts'
import { type Ground, type Postrider, startPostrider } from './ground.ts'
import { recipientOf, theLetter } from './letter.ts'

const RECIPIENTS = 20_000
/** As many as SendGrid puts into one report under load. */
const REPORT_SIZE = 500
const REPORTS_AT_ONCE = 4

type EventsFigures = { perSecond: number; bareInserts: number; differences: number; counts: unknown }

/** Every recipient's mail is delivered and opened, and a tenth comes back: reported by SendGrid, signed, in batches. */
export async function measureEvents(ground: Ground): Promise<EventsFigures> {
  await using sendgrid = closing(
    await startSendgridSimulator({ domains: [{ domain: 'postrider.localhost', valid: true }] }),
  )
  const databaseUrl = await ground.database()
  const postrider = await startPostrider(databaseUrl, ground.sinkPort, {
    env: { SENDGRID_BASE_URL: sendgrid.it.url.href },
  })
  const signer = createSigner()
  await postrider.call('POST', '/api/settings', {
    provider: 'sendgrid',
    fromName: 'Ann',
    fromEmail: 'ann@example.test',
    apiKey: sendgrid.it.apiKey,
    webhookSigningKey: signer.publicKey,
  })
  const id = await campaignSent(postrider)
  const { webhookUrl } = (await postrider.call('GET', '/api/settings')) as { webhookUrl: string }
  const reports = reportsOn(sendgrid.it.ledger).map((report) => reportOf(report))
  const bareInserts = await insertRows(databaseUrl, reports.length * REPORT_SIZE)

  const address = new URL(new URL(webhookUrl).pathname, postrider.url)
  const began = performance.now()
  await Promise.all(
    Array.from({ length: REPORTS_AT_ONCE }, async () => {
      for (let report = reports.pop(); report; report = reports.pop()) {
        const headers = signer.headersFor(report, Date.now())
        const answer = await fetch(address, { method: 'POST', headers, body: report })
        if (!answer.ok) throw new Error(`a report was answered ${answer.status}: ${await answer.text()}`)
      }
    }),
  )
  const perSecond = (RECIPIENTS * 2.1) / ((performance.now() - began) / 1000)
  const { deliveredCount, bouncedCount, openedCount } = (await postrider.call(
    'GET',
    `/api/email-history/${id}`,
  )) as Record<string, number>
  await postrider.stop()
  const db = openDatabase(databaseUrl, createLog('warn'), { isPatient: true })
  const { differences } = await recount(db)
  await db.destroy()
  return {
    perSecond,
    bareInserts,
    differences: differences.length,
    counts: { deliveredCount, bouncedCount, openedCount },
  }
}

async function campaignSent(postrider: Postrider): Promise<string> {
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => recipientOf(index + 1))
  const { id } = (await postrider.call('POST', '/api/send-email', { ...theLetter(), recipients })) as {
    id: string
  }
  for (;;) {
    const { successfulCount } = (await postrider.call('GET', `/api/email-history/${id}`)) as {
      successfulCount: number
    }
    if (successfulCount === RECIPIENTS) return id
    await sleep(100)
  }
}

function reportsOn(ledger: readonly Parameters<typeof eventOf>[0][]) {
  const events = ledger.flatMap((mail, index) => [
    eventOf(mail, 'delivered'),
    eventOf(mail, 'open', { useragent: 'Thunderbird' }),
    ...(index % 10 === 0
      ? [eventOf(mail, 'bounce', { type: 'bounce', reason: '550 gone', status: '5.1.1' })]
      : []),
  ])
  const reports: (typeof events)[] = []
  for (let from = 0; from < events.length; from += REPORT_SIZE)
    reports.push(events.slice(from, from + REPORT_SIZE))
  return reports
}

/** The anchor: how many rows a second the same database takes when they need only be kept. */
async function insertRows(url: string, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table bare_events (id uuid primary key, kind text, at timestamptz)')
  const began = performance.now()
  for (let done = 0; done < count; done += REPORT_SIZE)
    await client.query(
      `insert into bare_events select gen_random_uuid(), 'delivered', now() from generate_series(1, ${REPORT_SIZE})`,
    )
  const perSecond = count / ((performance.now() - began) / 1000)
  await client.end()
  return perSecond
}

const closing = <T extends { close(): Promise<void> }>(it: T) => ({
  it,
  [Symbol.asyncDispose]: () => it.close(),
})
