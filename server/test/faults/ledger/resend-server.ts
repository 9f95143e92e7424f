import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ResendFault, startResendSimulator } from '../../simulators/resend.ts'
import { between, chanceOf } from '../chance.ts'
import { obey, readArguments } from './child.ts'
import { openDoors } from './doors.ts'
import { openDurableLines } from './durable-lines.ts'
import { type Behaviour, HONEST, OWNER } from './protocol.ts'

/**
 * The Resend simulator in a process of its own, behind a front that writes down what was taken before the answer goes
 * out, and that can refuse connections.
 */
const { path, doors: doorCount } = readArguments()
const note = openDurableLines(path)
const simulator = await startResendSimulator({ apiKey: 're_ledger' })
const agent = new Agent({ keepAlive: true })
let behaviour: Behaviour = HONEST
let noted = 0
let calls = 0

simulator.lieBy((call) => {
  if (behaviour.state === 'failing') return answer500('before')
  let left = chanceOf(behaviour.seed, call)
  const meets = (share = 0) => {
    left -= share
    return left < 0 && left >= -share
  }
  const { lies, retryAfter } = behaviour
  if (meets(lies['rate-limit']))
    return { kind: 'rate-limit', retryAfter: between(() => chanceOf(call), ...retryAfter) }
  if (meets(lies.fail)) return answer500('before')
  if (meets(lies['accept-then-fail'])) return answer500('after')
  if (meets(lies['accept-then-drop'])) return { kind: 'reset', when: 'after' }
  return meets(lies['drop-at-dot']) ? { kind: 'reset', when: 'before' } : null
})

const answer500 = (when: 'before' | 'after'): ResendFault => ({
  kind: 'answer',
  status: 500,
  name: 'internal_server_error',
  message: 'An unexpected error occurred.',
  when,
})

async function serve(door: number, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = Date.now()
  const delay = behaviour.delayMs
  const before = delay * chanceOf(behaviour.seed, 'delay', ++calls)
  const body = await readAll(incoming)
  await sleep(before)
  const answer = await pass(incoming, body)
  await noteNew(door, startedAt)
  await note({
    kind: 'call',
    door,
    startedAt,
    at: Date.now(),
    status: answer?.status ?? null,
    retryAfter: answer?.headers['retry-after'] ? Number(answer.headers['retry-after']) : null,
  })
  await sleep(delay - before)
  if (!answer) return void incoming.socket.resetAndDestroy()
  response.writeHead(answer.status, answer.headers).end(answer.body)
}

async function noteNew(door: number, startedAt: number): Promise<void> {
  const fresh = simulator.ledger.slice(noted)
  noted += fresh.length
  await Promise.all(
    fresh.map(({ id, mail }) => {
      const to = mail.to[0]?.match(/<([^>]+)>/)?.[1] ?? mail.to[0] ?? ''
      const text = to.startsWith(OWNER) ? { text: mail.text ?? '' } : {}
      return note({ kind: 'accepted', to, messageId: id, door, startedAt, at: Date.now(), ...text })
    }),
  )
}

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/** Null when the simulator reset the connection. */
async function pass(incoming: IncomingMessage, body: Buffer): Promise<Answer | null> {
  const { connection, ...headers } = incoming.headers
  const outgoing = httpRequest(new URL(incoming.url ?? '/', simulator.url), {
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
  async act({ behave, cut }) {
    if (behave) behaviour = behave
    if (behaviour.state === 'down') await doors.shut()
    else await doors.open()
    if (cut) doors.cut()
  },
  report() {
    const { now, most } = doors.connections()
    return { accepted: noted, connections: now, mostConnections: most }
  },
})
