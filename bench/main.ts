import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { hasPostfix } from '../server/test/postfix.ts'
import { measureEvents } from './events.ts'
import { aGround, type Ground, type Postrider, runAnchor, runSmtpSource, startPostrider } from './ground.ts'
import { measureInbox } from './inbox.ts'
import { recipientOf, theLetter } from './letter.ts'
import { measureOpens } from './opens.ts'
import { measureReads } from './reads.ts'
import { measureWeb } from './web.ts'

// `npm run bench`: every figure is a ratio against an anchor of the same run, so that it means the same on any machine.
// Words behind `--` choose: npm run bench -- speed growth

type Row = { what: string; measured: string; demanded: string; isMet: boolean }

const MESSAGE_BYTES = 6_500
const rows: Row[] = []
const say = (text: string): void => void process.stdout.write(`${text}\n`)

function note(what: string, value: number, demand: { atLeast?: number; atMost?: number }, unit = '×'): void {
  const shown = `${value.toFixed(unit === '×' ? 2 : 0)} ${unit}`
  const { atLeast = 0, atMost = Number.POSITIVE_INFINITY } = demand
  const demanded = demand.atLeast === undefined ? `at most ${atMost} ${unit}` : `at least ${atLeast} ${unit}`
  rows.push({ what, measured: shown, demanded, isMet: value >= atLeast && value <= atMost })
  say(`  ${what}: ${shown} (${demanded})`)
}

const everybody = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => recipientOf(index + 1))

async function finished(postrider: Postrider, id: string, count: number): Promise<void> {
  for (;;) {
    const { counts } = (await postrider.call('GET', `/api/email-history/${id}`)) as {
      counts: Record<string, number>
    }
    if (counts['accepted'] === count) return
    if ((counts['queued'] ?? 0) + (counts['inFlight'] ?? 0) === 0)
      throw new Error(`not everybody was accepted: ${JSON.stringify(counts)}`)
    // Each look costs the measured process some milliseconds.
    await sleep(100)
  }
}

const post = async (postrider: Postrider, recipients: string[]): Promise<string> =>
  ((await postrider.call('POST', '/api/send-email', { ...theLetter(), recipients })) as { id: string }).id

/** From the POST to the last row committed, beside senders that store nothing: three rounds, of which the middle counts. */
async function speed(ground: Ground): Promise<void> {
  const count = 50_000
  const anchorCount = 10_000
  say(`Speed: ${count} recipients into smtp-sink`)
  const rounds: { toLoop: number; toSource: number }[] = []
  for (let round = 0; round < 3; round++) {
    const source = count / (await runSmtpSource(ground.sinkPort, count, MESSAGE_BYTES))
    const { ms } = await runAnchor('nodemailer-loop.ts', String(ground.sinkPort), String(anchorCount))
    const loop = anchorCount / ms
    const { rate, peakMb, cpuMs } = await oneCampaign(ground, count)
    const sourceAgain = count / (await runSmtpSource(ground.sinkPort, count, MESSAGE_BYTES))
    rounds.push({ toLoop: rate / loop, toSource: (2 * rate) / (source + sourceAgain) })
    say(
      `  smtp-source ${perSecond(source)} and ${perSecond(sourceAgain)}, Nodemailer ${perSecond(loop)}, Postrider ${perSecond(rate)}`,
    )
    say(
      `  Postrider's process: ${Math.round((cpuMs / count) * 1000)} µs of CPU each, ${Math.round(peakMb)} MB at most`,
    )
  }
  note('against a pooled Nodemailer loop', median(rounds.map(({ toLoop }) => toLoop)), { atLeast: 5 })
  note('against smtp-source', median(rounds.map(({ toSource }) => toSource)), { atLeast: 0.35 })
}

async function oneCampaign(
  ground: Ground,
  count: number,
): Promise<{ rate: number; peakMb: number; cpuMs: number }> {
  const postrider = await startPostrider(await ground.database(), ground.sinkPort)
  const began = performance.now()
  await finished(postrider, await post(postrider, everybody(count)), count)
  const rate = count / (performance.now() - began)
  return { rate, ...(await postrider.stop()) }
}

const perSecond = (rate: number): string => `${Math.round(rate * 1000)}/s`
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** One POST with 100,000 recipients, beside a bare COPY of the same addresses. */
async function acceptance(ground: Ground): Promise<void> {
  const count = 100_000
  say(`Acceptance: one POST with ${count} recipients`)
  const url = await ground.database()
  const postrider = await startPostrider(url, 1)
  const copyMs = await bareCopy(url, count)
  const recipients = everybody(count)
  const began = performance.now()
  await post(postrider, recipients)
  const ours = performance.now() - began
  const { peakMb } = await postrider.stop()
  say(
    `  bare COPY ${Math.round(copyMs)} ms, the POST ${Math.round(ours)} ms, ${Math.round(peakMb)} MB at most`,
  )
  note('acceptance against a bare COPY', ours / copyMs, { atMost: 20 })
  note('acceptance of 100,000', ours, { atMost: 5000 }, 'ms')
  note('memory with 100,000 in one call', peakMb, { atMost: 500 }, 'MB')
}

async function bareCopy(url: string, count: number): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create table bare (address text)')
  const began = performance.now()
  const lines = Readable.from(everybody(count).map((address) => `${address}\n`))
  await pipeline(lines, client.query(copyFrom('copy bare from stdin')))
  const ms = performance.now() - began
  await client.end()
  return ms
}

/** How the time for one recipient grows with their number, the list entering as a stream. */
async function growth(ground: Ground): Promise<void> {
  const sizes = [1_000, 10_000, 100_000, 1_000_000]
  say('Growth: from a thousand to a million recipients')
  const microseconds = new Map<number, number>()
  for (const size of sizes) {
    const postrider = await startPostrider(await ground.database(), ground.sinkPort, { streamed: size })
    const { id, beganAt } = postrider.campaign ?? { id: '', beganAt: 0 }
    await finished(postrider, id, size)
    const ms = Date.now() - beganAt
    const { peakMb } = await postrider.stop()
    microseconds.set(size, (ms / size) * 1000)
    say(`  ${size}: ${Math.round((ms / size) * 1000)} µs each, ${Math.round(peakMb)} MB at most`)
    if (size === 1_000_000) note('memory with a million recipients', peakMb, { atMost: 250 }, 'MB')
  }
  const ratio = (microseconds.get(1_000_000) ?? 0) / (microseconds.get(10_000) ?? 1)
  note('time for one of a million against one of ten thousand', ratio, { atMost: 1.3 })
}

/** One person's mail while another's list of 100,000 is being sent. */
async function overtaking(ground: Ground): Promise<void> {
  say("Overtaking: one mail beside another user's 100,000")
  const url = await ground.database()
  const crowd = await startPostrider(url, ground.sinkPort)
  const id = await post(crowd, everybody(100_000))
  // Only serves: the one process that sends has both in its hands.
  const single = await startPostrider(url, ground.sinkPort, { roles: 'web' })
  const waits: number[] = []
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    await finished(single, await post(single, ['someone@example.test']), 1)
    waits.push(performance.now() - began)
  }
  const { counts } = (await crowd.call('GET', `/api/email-history/${id}`)) as {
    counts: Record<string, number>
  }
  say(
    `  the single mails took ${waits.map((ms) => Math.round(ms)).join(', ')} ms; ${counts['queued']} of the list still waited`,
  )
  await Promise.all([crowd.stop(), single.stop()])
  note('a single mail beside 100,000', Math.max(...waits), { atMost: 2000 }, 'ms')
}

/** What SendGrid reports of 20,000 mails, beside bare inserts of as many rows. */
async function events(ground: Ground): Promise<void> {
  say('Events: reports of SendGrid, signed, 500 in each')
  const { perSecond, bareInserts, differences, counts } = await measureEvents(ground)
  say(`  bare inserts ${Math.round(bareInserts)}/s; counted ${JSON.stringify(counts)}`)
  note('events a second, committed', perSecond, { atLeast: 3000 }, '/s')
  note('events against bare inserts', perSecond / bareInserts, { atLeast: 0.05 })
  note('counters that differ from the deliveries', differences, { atMost: 0 }, '')
}

/** Everybody's mail program asks for the picture at once. */
async function opens(ground: Ground): Promise<void> {
  say('Opens: the picture in 30,000 mails, twice, by 32 connections')
  const { answered, committed, p99, differences, counts } = await measureOpens(ground)
  say(`  answered ${Math.round(answered)}/s; counted ${JSON.stringify(counts)}`)
  note('opens a second, committed', committed, { atLeast: 3000 }, '/s')
  note('the picture, p99', p99, { atMost: 50 }, 'ms')
  note('openings that are counted wrong', differences, { atMost: 0 }, '')
}

/** What the everyday screens ask for, with 1,000,000 deliveries behind them and 20 people in front. */
async function reads(ground: Ground): Promise<void> {
  say('Reads: 20 users at once, over 10,000 and over 1,000,000 deliveries')
  const { small, large, peakMb } = await measureReads(ground, say)
  for (const [index, { what, alone, p95, median, bytes }] of large.entries()) {
    if (what === 'a bare request') continue
    note(`${what}, one reader, p95`, alone, { atMost: 50 }, 'ms')
    // Twenty who never stop take most of a core: here people wait for each other, and how long depends on the machine.
    note(`${what}, 20 readers, p95`, p95, { atMost: 300 }, 'ms')
    // A search looks through a list a hundred times as long, for as long as it may.
    const atMost = what.endsWith('by search') ? 15 : 5
    note(`${what}, from 10,000 to 1,000,000`, median / (small[index]?.median ?? 1), { atMost })
    if (what === 'first page of the history') note(`${what}, size`, bytes / 1000, { atMost: 100 }, 'KB')
  }
  note('memory with 20 readers', peakMb, { atMost: 400 }, 'MB')
}

/** An inbox with 100,000 messages, and its owner in front. */
async function inbox(ground: Ground): Promise<void> {
  say('Inbox: one person with two windows, over 1,000 and over 100,000 messages')
  const { large } = await measureInbox(ground, say)
  for (const { what, p95 } of large) {
    if (what === 'a bare request') continue
    note(`${what}, p95`, p95, { atMost: 50 }, 'ms')
  }
}

/** What the browser of somebody new has to load before it can show anything. */
async function web(ground: Ground): Promise<void> {
  say('Web: what each screen loads, and when it is painted')
  const { signInKb } = await measureWeb(ground, say)
  note('JavaScript of the sign-in screen, gzipped', signInKb, { atMost: 120 }, 'KB')
}

const BENCHES = { speed, acceptance, growth, overtaking, events, opens, reads, inbox, web }
const chosen = process.argv.slice(2)

if (!(await hasPostfix())) {
  say('The benchmarks need smtp-sink and smtp-source: on Debian, apt-get install postfix')
  process.exit(1)
}
await using ground = await aGround()
for (const [name, bench] of Object.entries(BENCHES))
  if (chosen.length === 0 || chosen.includes(name)) await bench(ground)

say('')
const width = Math.max(...rows.map(({ what }) => what.length))
for (const { what, measured, demanded, isMet } of rows)
  say(`${isMet ? '✓' : '✗'} ${what.padEnd(width)}  ${measured.padStart(9)}  ${demanded}`)
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1
