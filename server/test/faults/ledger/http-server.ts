import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { between, chanceOf } from '../chance.ts'
import { obey, readArguments } from './child.ts'
import { openDoors } from './doors.ts'
import { openDurableLines } from './durable-lines.ts'
import { type Behaviour, HONEST, type Lie, OWNER } from './protocol.ts'
import { type Answer, openVendor, type Taken } from './vendors.ts'

/**
 * The simulator of a provider with an HTTP API, in a process of its own, behind a front that writes down what was taken
 * before the answer goes out, and that can refuse connections, wait and lie.
 */
const { kind, path, doors: doorCount } = readArguments()
if (kind === 'smtp') throw new Error('SMTP has a ledger of its own')
const vendor = await openVendor(kind)
const note = openDurableLines(path)
const agent = new Agent({ keepAlive: true })
const plan: (Lie | null)[] = []
const held = new Set<() => void>()
let behaviour: Behaviour = HONEST
let accepted = 0
let begun = 0
let requests = 0
let sendings = 0
let turn: Promise<unknown> = Promise.resolve()

/** As many as can be told by HTTP, in the order in which they share the chances of a call. */
const LIES = [
  'rate-limit',
  'fail',
  'accept-then-fail',
  'accept-then-drop',
  'drop-at-dot',
  'refuse-for-now',
] as const

function nextLie(call: number): Lie | null {
  if (behaviour.state === 'failing' || behaviour.state === 'unable') return 'fail'
  const planned = plan.shift()
  if (planned !== undefined) return planned
  let left = chanceOf(behaviour.seed, call)
  for (const lie of LIES) {
    left -= behaviour.lies[lie] ?? 0
    if (left < 0) return lie
  }
  return null
}

async function serve(door: number, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = Date.now()
  const delay = behaviour.delayMs
  const before = delay * chanceOf(behaviour.seed, 'delay', ++requests)
  const body = await readAll(incoming)
  const isSending = vendor.isSending(incoming.method ?? '', incoming.url ?? '')
  if (isSending) begun++
  await sleep(before)
  const { answer, lie, taken } = await inTurn(() => meet(incoming, body, isSending))
  const about = { door, startedAt, at: Date.now() }
  // Before anybody can read that the mails were taken, so that whoever does can release them.
  const released = behaviour.isHolding && isSending ? new Promise<void>((resolve) => held.add(resolve)) : null
  const recipients = lie ? await vendor.recipientsIn(body, incoming.headers) : []
  await Promise.all([
    ...taken.map((mail) => noteAcceptance(mail, about)),
    ...recipients.map((to) => lie && note({ kind: 'lie', lie, to, ...about })),
    note({
      kind: 'call',
      ...about,
      isSending,
      status: answer?.status ?? null,
      retryAfter: answer && vendor.waitIn(answer),
    }),
  ])
  await released
  await sleep(delay - before)
  if (!answer) return void incoming.socket.resetAndDestroy()
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

/** One at a time, so that it is known which call met which lie, and which mails were taken by it. */
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const mine = turn.then(act)
  turn = mine.catch(() => {})
  return mine
}

type Met = { answer: Answer | null; lie: Lie | null; taken: Taken[] }

async function meet(incoming: IncomingMessage, body: Buffer, isSending: boolean): Promise<Met> {
  if (!isSending && behaviour.state === 'failing') {
    const answer = { status: 500, headers: { 'content-length': '0' }, body: Buffer.alloc(0) }
    return { answer, lie: null, taken: [] }
  }
  const call = isSending ? ++sendings : 0
  const lie = isSending ? nextLie(call) : null
  if (isSending)
    vendor.meetNext(
      lie,
      between(() => chanceOf(call), ...behaviour.retryAfter),
    )
  const answer = await pass(incoming, body)
  return { answer, lie, taken: vendor.takeNew() }
}

function noteAcceptance({ to, id, text }: Taken, about: { door: number; startedAt: number; at: number }) {
  accepted++
  const ownersText = to.startsWith(OWNER) ? { text } : {}
  return note({ kind: 'accepted', to, messageId: id, ...about, ...ownersText })
}

/** Null when the simulator reset the connection. */
async function pass(incoming: IncomingMessage, body: Buffer): Promise<Answer | null> {
  const { connection, ...headers } = incoming.headers
  const outgoing = httpRequest(new URL(incoming.url ?? '/', vendor.url), {
    agent,
    method: incoming.method,
    headers,
  })
  outgoing.end(body)
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      outgoing.on('response', resolve).on('error', reject),
    )
    return { status: answer.statusCode ?? 500, headers: answer.headers, body: await readAll(answer) }
  } catch {
    return null
  }
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const servers = Array.from({ length: doorCount }, (_, door) =>
  createServer((request, response) => {
    // A client that was killed in the middle of its call is part of the play.
    serve(door, request, response).catch(() => request.socket.destroy())
  }),
)
const doors = await openDoors(servers)

obey({
  ports: doors.ports,
  async act({ behave, cut, plan: planned = [], release }) {
    if (behave) behaviour = behave
    plan.push(...planned)
    if (behaviour.state === 'down') await doors.shut()
    else await doors.open()
    if (cut) doors.cut()
    if (!release) return
    for (const giveAnswer of held) giveAnswer()
    held.clear()
  },
  report() {
    const { now, most } = doors.connections()
    return { accepted, begun, connections: now, mostConnections: most }
  },
})
