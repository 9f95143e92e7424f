import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { lexemesOf } from '../server/inbox/words.ts'
import type { Call } from '../server/test/simulators/brought-mail.ts'
import { routeCall } from '../server/test/simulators/mailgun-route.ts'
import { type Ground, type Postrider, startPostrider } from './ground.ts'
import { load, type ReadFigures, sessionsFor } from './reads.ts'

const SMALL = 1_000
const LARGE = 100_000
const WORDS_EACH = 120
const VOCABULARY = 30_000
const AT_ONCE = 2_000
const NOW = Date.now()
/** An inbox is one person's, who may have two windows open. */
const WINDOWS = 2
const LARGE_CALLS = 10
const LARGE_CALL = 30_000_000

type InboxFigures = { small: ReadFigures[]; large: ReadFigures[] }

/** What somebody asks of an inbox that few, or very many, have written to. */
export async function measureInbox(ground: Ground, say: (text: string) => void): Promise<InboxFigures> {
  return { small: await measure(ground, SMALL, say), large: await measure(ground, LARGE, say) }
}

async function measure(ground: Ground, count: number, say: (text: string) => void): Promise<ReadFigures[]> {
  const databaseUrl = await ground.database()
  const postrider = await startPostrider(databaseUrl, ground.sinkPort, { roles: 'web' })
  const began = performance.now()
  const { inboxId, newest, oldest, cookies: all } = await seed(databaseUrl, count)
  const cookies = all.slice(0, WINDOWS)
  say(`  ${count} messages, stored in ${Math.round((performance.now() - began) / 1000)} s`)
  const list = '/api/inbox/list'
  const message = `/api/inbox/message/${inboxId}`
  const calls = {
    'a bare request': '/healthz',
    'first page of the inbox': list,
    'a page far behind': `${list}?cursor=${oldest.cursor}`,
    'unread messages': '/api/inbox/summary',
    'the newest message': `${message}/${newest}`,
    'its HTML': `${message}/${newest}/html`,
    'search for a word that is in one': `${list}?q=needle`,
    'search for a word that is in all': `${list}?q=everywhere`,
    'search for a word that is in every tenth': `${list}?q=often`,
    'search for a word that is only in old ones': `${list}?q=longago`,
    'search for the beginning of many words': `${list}?q=a`,
    'search for two words that are never together': `${list}?q=odd+even`,
    'search for a word that is nowhere': `${list}?q=nowhere`,
    'the archive by a word that is in all': `${list}?folder=archived&q=everywhere`,
  }
  const figures: ReadFigures[] = []
  for (const [what, path] of Object.entries(calls)) {
    await load(new URL(path, postrider.url), cookies, 300)
    const result = { what, ...(await load(new URL(path, postrider.url), cookies, 1_000)) }
    say(`    ${what}: p95 ${result.p95.toFixed(1)} ms, median ${result.median.toFixed(1)} ms`)
    figures.push(result)
  }
  const beside = { what: 'a bare request beside calls of 30 MB', ...(await besideLargeCalls(postrider)) }
  say(
    `    ${beside.what}: p95 of the worst ${beside.p95.toFixed(1)} ms, median ${beside.median.toFixed(1)} ms`,
  )
  figures.push(beside)
  const { peakMb } = await postrider.stop()
  say(`    ${Math.round(peakMb)} MB at most`)
  return figures
}

/**
 * The worst that somebody else waits for while a provider brings a large mail, call by call; beyond what they wait for
 * beside a server that only listens to the same calls.
 */
async function besideLargeCalls(postrider: Postrider): Promise<Omit<ReadFigures, 'what'>> {
  const signingKey = '0123456789abcdef0123456789abcdef'
  const account = { provider: 'mailgun', apiKey: 'key-x', webhookSigningKey: signingKey }
  await postrider.call('POST', '/api/settings', { ...account, fromName: '', fromEmail: '' })
  const { inboundUrl } = (await postrider.call('GET', '/api/settings')) as { inboundUrl: string }
  const url = new URL(new URL(inboundUrl).pathname, postrider.url)
  const mail = (n: number) => ({
    ...{ from: 'ann@example.test', to: ['me@example.test'], headers: [['Subject', `Large ${n}`]] as const },
    attachments: [{ name: 'a.bin', type: 'application/x-any', content: Buffer.alloc(LARGE_CALL, `${n}`) }],
  })
  const listener = spawn(process.execPath, ['-e', LISTENER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(listener.stdout, 'data')
  const anchor = new URL(`http://127.0.0.1:${String(port).trim()}/`)
  const waits: number[] = []
  const anchorWaits: number[] = []
  for (let n = 0; n < LARGE_CALLS; n++) {
    const call = routeCall(mail(n), { signingKey })
    anchorWaits.push(await worstBeside(anchor, anchor, call))
    waits.push(await worstBeside(url, new URL('/healthz', postrider.url), call))
  }
  listener.kill()
  const at = (all: number[], part: number) => all.sort((a, b) => a - b)[Math.floor(part * LARGE_CALLS)] ?? 0
  const beyond = (part: number) => Math.max(0, at(waits, part) - at(anchorWaits, part))
  return { median: beyond(0.5), p95: beyond(0.95), perSecond: 0, bytes: LARGE_CALL }
}

const LISTENER = `
  const server = require('node:http').createServer((call, answer) => call.on('end', () => answer.end('ok')).resume())
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** Asks one after the other as long as the call takes. */
async function worstBeside(url: URL, asked: URL, { headers, body }: Call): Promise<number> {
  let isOver = false
  const call = fetch(url, { method: 'POST', headers, body: new Uint8Array(body) }).finally(
    () => (isOver = true),
  )
  let worst = 0
  while (!isOver) {
    const began = performance.now()
    await (await fetch(asked)).arrayBuffer()
    worst = Math.max(worst, performance.now() - began)
  }
  const { status } = await call
  if (status !== 200) throw new Error(`a large call was answered with ${status}`)
  return worst
}

type Seeded = { inboxId: string; newest: string; oldest: { cursor: string }; cookies: string[] }

/** One user has them all; some more belong to somebody else, who uses the same words. */
async function seed(url: string, count: number): Promise<Seeded> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
  const { rows } = await client.query<{ id: string }>('select id from users')
  const userId = rows[0]?.id ?? ''
  const other = randomUUID()
  await client.query(
    `insert into users (id, email, email_key, password_hash) values ($1, 'other@example.test', 'other@example.test', '')`,
    [other],
  )
  const inboxes = await client.query<{ id: string }>(
    'insert into inboxes (user_id) values ($1), ($2) returning id',
    [userId, other],
  )
  const [inboxId = '', otherInbox = ''] = inboxes.rows.map(({ id }) => id)
  // Sorted in at the end, which takes a tenth of the time.
  await client.query('drop index inbox_messages_search')
  const owners: [Owner, number][] = [
    [{ userId, inboxId }, count],
    [{ userId: other, inboxId: otherInbox }, count / 10],
  ]
  for (const [owner, all] of owners)
    for (let first = 0; first < all; first += AT_ONCE)
      await store(client, owner, first, Math.min(AT_ONCE, all - first), all)
  await client.query(
    'create index inbox_messages_search on inbox_messages using gin (search) with (fastupdate = off)',
  )
  const cookies = await sessionsFor(client, userId)
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const ends = await client.query<{ newest: string; position: string; id: string }>(
    `select (select id from inbox_messages where user_id = $1 and folder = 'i' order by received_at desc limit 1) as newest,
       (extract(epoch from received_at) * 1000000)::bigint::text as position, id
     from inbox_messages where user_id = $1 and folder = 'i' order by received_at offset least(200, $2::integer / 2) limit 1`,
    [userId, count],
  )
  await client.end()
  const { newest = '', position = '', id = '' } = ends.rows[0] ?? {}
  return { inboxId, newest, oldest: { cursor: `${position}_${id}` }, cookies }
}

type Owner = { userId: string; inboxId: string }

/** Number 0 is the newest. */
async function store(
  client: pg.Client,
  { userId, inboxId }: Owner,
  first: number,
  count: number,
  all: number,
): Promise<void> {
  const messages = Array.from({ length: count }, (_, index) => {
    const n = first + index
    const text = textOf(n, all)
    const message = { userId, receivedAt: new Date(NOW - n * 60_000) }
    return { id: randomUUID(), n, text, words: lexemesOf(message, ['Ann Example', 'ann@example.test', text]) }
  })
  const parameters = [
    messages.map(({ id }) => id),
    messages.map(({ n }) => n),
    messages.map(({ text }) => text),
  ]
  await client.query(
    `insert into inbox_messages (id, conversation_id, inbox_id, user_id, identity, envelope_from, envelope_to, state,
       folder, opened_at, received_at, message_id, from_name, from_address, answers_to, recipients, subject, preview, search)
     select id, id, $5, $6, decode(replace(id::text, '-', ''), 'hex'), 'ann@example.test', 'me@example.test', 'r',
       (case when n % 5 = 4 then 'a' when n % 10 = 7 then 'm' else 'i' end)::"char",
       case when n % 2 = 1 then now() end, $7::timestamptz - n * interval '1 minute', '<' || id || '@example.test>',
       'Ann Example', 'ann@example.test', 'ann@example.test', '{me@example.test}', left(text, 60), left(text, 200),
       array_to_tsvector(array(select json_array_elements_text(words::json)))
     from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[]) as m (id, n, text, words)`,
    [...parameters, messages.map(({ words }) => JSON.stringify(words)), inboxId, userId, new Date(NOW)],
  )
  await client.query(
    `insert into inbox_contents (message_id, text_body, html_body)
     select id, text, '<div><p>' || text || '</p></div>' from unnest($1::uuid[], $2::text[]) as m (id, text)`,
    [parameters[0], parameters[2]],
  )
}

/** Words as people use them: some in every letter, most in few. The same text for the same number. */
function textOf(n: number, all: number): string {
  let state = n + 1
  const chance = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
  const words = Array.from({ length: WORDS_EACH }, () => wordOf(Math.floor(VOCABULARY ** chance()) - 1))
  const marks = [
    'everywhere',
    n === Math.floor(all * 0.6) ? 'needle' : '',
    n % 10 === 3 ? 'often' : '',
    n > all * 0.7 ? 'longago' : '',
    n % 2 === 0 ? 'even' : 'odd',
  ]
  return [...marks, ...words].filter((word) => word !== '').join(' ')
}

const wordOf = (rank: number): string => {
  const letters = 'etaoinshrdlu'
  let word = ''
  for (let rest = rank + 12; rest > 0; rest = Math.floor(rest / 12)) word = (letters[rest % 12] ?? '') + word
  return word
}
