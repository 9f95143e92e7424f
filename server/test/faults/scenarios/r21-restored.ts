import { setTimeout as sleep } from 'node:timers/promises'
import { describe, inject, it } from 'vitest'
import { run } from '../../global-setup.ts'
import { until } from '../../until.ts'
import { audit } from '../auditor.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS } from '../figures.ts'
import { aLedger } from '../ledger/ledger.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const PAUSED = 50
const RECIPIENTS = sized({ ci: 500, full: 5_000 })
/** Longer than any lease, look or retry would need to send the first one. */
const SILENCE_MS = sized({ ci: 12_000, full: 60_000 })
/** At full size two processes find at the same moment that their database is a copy. */
const PROCESSES = sized({ ci: ['web,worker'], full: ['web', 'worker'] })

describe.concurrent('R21 a backup with a running and a paused campaign is restored', () => {
  it('and sends nothing until a person resumes it, knowing that it is a copy', play, timeLimit(300))
})

async function play(): Promise<void> {
  const demands = demandsOf('R21')
  await using stage = await aStage({ ledger: 'smtp', together: PROCESSES.length === 1 })
  const { client, web, worker } = stage
  await stage.ledger.behave({ delayMs: 60 })
  const running = await client.send('restored', RECIPIENTS)
  const paused = await client.send('paused', PAUSED)
  const campaigns = [running, paused]
  demands.exactly('answer to pause', 200, (await client.act(paused.id, 'pause')).status)
  await until('a part is sent', async () => (await stage.ledger.report()).accepted > 50)
  await Promise.all([web.end('SIGKILL'), worker.end('SIGKILL')])

  const serverUrl = inject('postgres').url
  const original = new URL(stage.databaseUrl).pathname.slice(1)
  const restored = `${original}_restored`
  await untilUnused(serverUrl, original)
  await run(serverUrl, `create database ${restored} template ${original}`)
  await using _dropped = {
    [Symbol.asyncDispose]: () => run(serverUrl, `drop database if exists ${restored} with (force)`),
  }
  const databaseUrl = stage.databaseUrl.replace(original, restored)
  await using ledger = await aLedger('smtp')
  const env = { DATABASE_URL: databaseUrl, ...ledger.env() }
  const again = { ...env, PORT: new URL(web.url).port }
  await Promise.all(PROCESSES.map((roles) => stage.start(roles, { env: roles === 'worker' ? env : again })))

  await sleep(SILENCE_MS)
  demands.exactly('sent by itself', 0, (await ledger.report()).accepted)
  for (const { id } of campaigns) {
    const waiting = await client.look(id)
    demands.exactly('shown as', 'paused', waiting?.state ?? '')
    demands.exactly('the reason', 'This database was restored', waiting?.pausedReason?.slice(0, 26) ?? '')
  }

  for (const { id } of campaigns)
    demands.exactly('answer to resume', 200, (await client.act(id, 'resume')).status)
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)
  // What the original sent before the backup is in the first ledger, the rest in the second.
  const both = {
    ...ledger,
    acceptances: async () => [...(await stage.ledger.acceptances()), ...(await ledger.acceptances())],
  }
  await audit({ client, ledger: both, databaseUrl }, campaigns, demands, { unknown: IN_HAND_BY_SMTP })
  demands.hold()
}

/** A database can be copied when nobody is connected; the server notices a killed client a moment later. */
async function untilUnused(serverUrl: string, name: string): Promise<void> {
  await run(
    serverUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
  )
  await sleep(300)
}
