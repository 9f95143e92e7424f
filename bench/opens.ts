import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { recount } from '../server/delivery/store/recount.ts'
import { createDeliveryTokens } from '../server/delivery/tokens.ts'
import { openDatabase } from '../server/platform/database.ts'
import { createLog } from '../server/platform/log.ts'
import { createSecrets } from '../server/platform/secrets.ts'
import { type Ground, type Postrider, startPostrider } from './ground.ts'
import { recipientOf, theLetter } from './letter.ts'

const RECIPIENTS = 30_000
/** One in so many mails is fetched by a machine as well. */
const MACHINE_EVERY = 10
const CONNECTIONS = 32
const SECRET_KEY = 'a key for the openings that is long enough to be accepted'
const THUNDERBIRD = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0'
const APPLE = 'Mozilla/5.0'

type OpensFigures = {
  /** A second, until the last answer, and until the last commit. */
  answered: number
  committed: number
  p99: number
  /** Counters that are not what they must be, or not what the deliveries say. */
  differences: number
  counts: unknown
}

/** Everybody's mail program fetches the picture, then all of them once more, which is no news. */
export async function measureOpens(ground: Ground): Promise<OpensFigures> {
  const databaseUrl = await ground.database()
  const postrider = await startPostrider(databaseUrl, ground.sinkPort, { env: { SECRET_KEY } })
  const id = await campaignSent(postrider)
  await letArrivalsAge(databaseUrl)
  const fetches = everyFetch(id)

  const began = performance.now()
  const first = await fetchAll(postrider.url, fetches)
  const answered = fetches.length / ((performance.now() - began) / 1000)
  await counted(postrider, id)
  const committed = fetches.length / ((performance.now() - began) / 1000)
  const again = await fetchAll(postrider.url, fetches)
  await postrider.stop()

  const { opened, machineOpened, differences } = await recounted(databaseUrl, id)
  const latencies = [...first, ...again].sort((a, b) => a - b)
  return {
    answered,
    committed,
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    differences:
      differences +
      Math.abs(opened - RECIPIENTS) +
      Math.abs(machineOpened - Math.floor(RECIPIENTS / MACHINE_EVERY)),
    counts: { opened, machineOpened },
  }
}

type Fetch = { path: string; userAgent: string }

/** Neighbours in the list do not open their mails one after the other. */
function everyFetch(campaignId: string): Fetch[] {
  const { linkToken } = createDeliveryTokens(createSecrets(SECRET_KEY))
  const fetches: { fetch: Fetch; place: number }[] = []
  for (let seq = 1; seq <= RECIPIENTS; seq++) {
    const path = `/t/${linkToken({ campaignId, seq })}.gif`
    fetches.push({ fetch: { path, userAgent: THUNDERBIRD }, place: (seq * 7_919) % RECIPIENTS })
    if (seq % MACHINE_EVERY === 0)
      fetches.push({ fetch: { path, userAgent: APPLE }, place: (seq * 104_729) % RECIPIENTS })
  }
  return fetches.sort((a, b) => a.place - b.place).map(({ fetch }) => fetch)
}

/** Over connections that stay open, one request at a time on each; answers how long each took, in milliseconds. */
async function fetchAll(url: string, fetches: readonly Fetch[]): Promise<number[]> {
  const latencies: number[] = []
  const { hostname, port, host } = new URL(url)
  let next = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      for (let fetch = fetches[next++]; fetch; fetch = fetches[next++]) {
        const began = performance.now()
        await ask(socket, host, fetch)
        latencies.push(performance.now() - began)
      }
      socket.destroy()
    }),
  )
  return latencies
}

const PICTURE_END = 0x3b

/** Written by hand: a whole HTTP client for each of 66,000 requests would take the machine from what is measured. */
function ask(socket: Socket, host: string, { path, userAgent }: Fetch): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (bytes: Buffer): void => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end === -1 || text.length < end + 4 + 43) return
      socket.off('data', onData).off('error', reject)
      const isPicture = text.startsWith('HTTP/1.1 200') && text.charCodeAt(text.length - 1) === PICTURE_END
      if (isPicture) resolve()
      else reject(new Error(`the picture was answered ${text.slice(0, 200)}`))
    }
    socket.on('data', onData).on('error', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nuser-agent: ${userAgent}\r\n\r\n`)
  })
}

async function campaignSent(postrider: Postrider): Promise<string> {
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => recipientOf(index + 1))
  const { id } = (await postrider.call('POST', '/api/send-email', { ...theLetter(), recipients })) as {
    id: string
  }
  await until(postrider, id, 'successfulCount', RECIPIENTS)
  return id
}

const counted = (postrider: Postrider, id: string): Promise<void> =>
  until(postrider, id, 'openedCount', RECIPIENTS)

async function until(postrider: Postrider, id: string, name: string, expected: number): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const entry = (await postrider.call('GET', `/api/email-history/${id}`)) as Record<string, unknown>
    if (entry[name] === expected) return
    if (performance.now() > deadline) throw new Error(`${name} stayed at ${entry[name]}, not ${expected}`)
    await sleep(50)
  }
}

/** Nobody opens a mail in the second it arrives: what came so soon would count as a machine's. */
async function letArrivalsAge(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `update deliveries set accepted_at = accepted_at - interval '1 minute', delivered_at = delivered_at - interval '1 minute'`,
  )
  await client.query('vacuum analyze deliveries')
  await client.end()
}

async function recounted(
  url: string,
  id: string,
): Promise<{ opened: number; machineOpened: number; differences: number }> {
  const db = openDatabase(url, createLog('warn'), { isPatient: true })
  const { differences } = await recount(db)
  const run = await db
    .selectFrom('runs')
    .select(['opened', 'machine_opened'])
    .where('campaign_id', '=', id)
    .executeTakeFirstOrThrow()
  await db.destroy()
  return { opened: run.opened, machineOpened: run.machine_opened, differences: differences.length }
}
