import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hashToken, randomToken } from '../server/platform/secrets.ts'
import { type Ground, startPostrider } from './ground.ts'
import { theLetter } from './letter.ts'

/** As many as look at the same time. */
const USERS = 20
/** After each answer: nobody clicks ten times a second, but twenty who do are a busy office. */
const PAUSE_MS = 100
/** Until every connection to the database has been opened and knows its statements: twenty at once are slow at first. */
const WARM_UP_MS = 1_500
const MEASURE_MS = 3_000
/** One campaign is much longer than the others, which have about 90 recipients each. */
const SMALL = { campaigns: 100, deliveries: 10_000, longest: 1_000, events: 5_000 }
const LARGE = { campaigns: 10_000, deliveries: 1_000_000, longest: 100_000, events: 500_000 }

export type ReadFigures = { what: string; p95: number; median: number; perSecond: number; bytes: number }
/** `alone`: the p95 of one reader whom nobody else keeps waiting. */
type ScreenFigures = ReadFigures & { alone: number }
type ReadsFigures = { small: ScreenFigures[]; large: ScreenFigures[]; peakMb: number }

/** The everyday screens over a short history and over a long one: what they wait for, and how it grows. */
export async function measureReads(ground: Ground, say: (text: string) => void): Promise<ReadsFigures> {
  const small = await measure(ground, SMALL, say)
  const large = await measure(ground, LARGE, say)
  return { small: small.figures, large: large.figures, peakMb: large.peakMb }
}

async function measure(
  ground: Ground,
  size: typeof SMALL,
  say: (text: string) => void,
): Promise<{ figures: ScreenFigures[]; peakMb: number }> {
  const databaseUrl = await ground.database()
  const postrider = await startPostrider(databaseUrl, ground.sinkPort, { roles: 'web' })
  const began = performance.now()
  const { longest, cookies } = await seed(databaseUrl, size)
  say(
    `  ${size.campaigns} campaigns, ${size.deliveries} deliveries and ${size.events} events, stored in ${Math.round((performance.now() - began) / 1000)} s`,
  )
  const list = `/api/email-history/${longest}/deliveries?limit=100`
  const calls = {
    // The anchor: what a request costs here that asks for nothing.
    'a bare request': '/healthz',
    statistics: '/api/stats',
    activity: '/api/email-activity?timeZone=Europe/Vienna',
    'first page of the history': '/api/email-history',
    'history by recipient': '/api/email-history?limit=50&q=recipient77@',
    'deliveries of the longest campaign': list,
    'its deliveries by state': `${list}&state=failed`,
    'its deliveries by search': `${list}&q=999@example`,
  }
  const figures: ScreenFigures[] = []
  for (const [what, path] of Object.entries(calls)) {
    const url = new URL(path, postrider.url)
    await load(url, cookies, WARM_UP_MS)
    const crowd = await load(url, cookies, MEASURE_MS)
    const { p95: alone } = await load(url, cookies.slice(0, 1), MEASURE_MS, 0)
    say(
      `    ${what}: p95 ${crowd.p95.toFixed(1)} ms, median ${crowd.median.toFixed(1)} ms, ${Math.round(crowd.perSecond)}/s, ${Math.round(crowd.bytes / 1000)} KB; alone p95 ${alone.toFixed(1)} ms`,
    )
    figures.push({ what, ...crowd, alone })
  }
  const { peakMb } = await postrider.stop()
  say(`    ${Math.round(peakMb)} MB at most`)
  return { figures, peakMb }
}

/** Everything belongs to one account, the hardest case; the newest campaign is the longest. */
async function seed(
  url: string,
  { campaigns, deliveries, longest, events }: typeof SMALL,
): Promise<{ longest: string; cookies: string[] }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { body, subject } = theLetter()
  const each = Math.floor((deliveries - longest) / (campaigns - 1))
  await client.query('set synchronous_commit = off')
  await client.query(
    `insert into campaigns (id, user_id, subject, body, sender_name, reply_to, recipient_count, created_at)
     select gen_random_uuid(), (select id from users), $1 || ' ' || n, $2, 'The workshop', 'workshop@example.test',
       case when n = 1 then $3::integer else $4::integer end, now() - n * interval '50 minutes'
     from generate_series(1, $5::integer) n`,
    [subject, body, longest, each, campaigns],
  )
  await client.query(
    `insert into deliveries (campaign_id, seq, address, address_key, state, attempts, reason, accepted_at, delivered_at)
     select c.id, seq, 'recipient' || seq || '@example.test', 'recipient' || seq || '@example.test',
       (case when seq % 50 = 7 then 'f' when seq % 1000 = 13 then 'u' else 'a' end)::"char", 1,
       case when seq % 50 = 7 then '550 5.1.1 there is nobody here by that name' end,
       case when seq % 50 <> 7 then c.created_at end, case when seq % 50 <> 7 then c.created_at end
     from campaigns c, generate_series(1, c.recipient_count) seq`,
  )
  await client.query(
    `insert into runs (campaign_id, user_id, account, state, is_open, last_seq, accepted, failed, unknown, delivered, created_at)
     select c.id, c.user_id, 'product', 'sending', false, c.recipient_count,
       count(*) filter (where d.state = 'a'), count(*) filter (where d.state = 'f'),
       count(*) filter (where d.state = 'u'), count(d.delivered_at), c.created_at
     from campaigns c join deliveries d on d.campaign_id = c.id group by c.id`,
  )
  await client.query(
    `insert into delivery_events (id, campaign_id, seq, kind, at)
     select gen_random_uuid(), campaign_id, seq, 'delivered', accepted_at
     from deliveries where accepted_at is not null limit $1::integer`,
    [events],
  )
  const users = await client.query<{ id: string }>('select id from users')
  const cookies = await sessionsFor(client, users.rows[0]?.id ?? '')
  // So that the planner knows what there is, and neither vacuum nor checkpoint comes in between.
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const { rows } = await client.query<{ id: string }>(
    'select id from campaigns order by recipient_count desc limit 1',
  )
  await client.end()
  return { longest: rows[0]?.id ?? '', cookies }
}

/** For everybody who looks at the same time. */
export async function sessionsFor(client: pg.Client, userId: string): Promise<string[]> {
  const tokens = Array.from({ length: USERS }, () => randomToken())
  await client.query(
    'insert into sessions (token_hash, user_id) select hash, $2::uuid from unnest($1::text[]) hash',
    [tokens.map(hashToken), userId],
  )
  return tokens.map((token) => `postrider_session=${token}`)
}

export async function load(
  url: URL,
  cookies: readonly string[],
  milliseconds: number,
  pauseMs = PAUSE_MS,
): Promise<Omit<ReadFigures, 'what'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: cookies.length })
  const times: number[] = []
  let bytes = 0
  const began = performance.now()
  await Promise.all(
    cookies.map(async (cookie, index) => {
      // They have not agreed on a moment.
      await sleep((pauseMs / cookies.length) * index)
      while (performance.now() - began < milliseconds) {
        const asked = performance.now()
        bytes = Math.max(bytes, await ask(url, cookie, agent))
        times.push(performance.now() - asked)
        await sleep(pauseMs)
      }
    }),
  )
  const perSecond = times.length / ((performance.now() - began) / 1000)
  agent.destroy()
  times.sort((one, other) => one - other)
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0
  return { p95: at(0.95), median: at(0.5), perSecond, bytes }
}

/** Answers how many bytes came back. The plain client: a comfortable one would take the server's share of the machine. */
const ask = (url: URL, cookie: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url.pathname} answered ${response.statusCode}`)),
      )
      response.on('error', reject)
    }).on('error', reject)
  })
