import { createServer } from 'node:net'
import { obey, readArguments } from './child.ts'
import { openDoors } from './doors.ts'
import { openDurableLines } from './durable-lines.ts'
import { type Behaviour, type Entry, HONEST, type Lie } from './protocol.ts'
import { serveSmtp } from './smtp-session.ts'

/**
 * The SMTP ledger, a process of its own: killing or stopping Postrider never touches it. Every acceptance is on the
 * disk before the client hears of it.
 */
const { path, doors: doorCount } = readArguments()
const store = openDurableLines(path)
const attempts = new Map<string, number>()
const plan: (Lie | null)[] = []
let behaviour: Behaviour = HONEST
let accepted = 0
let begun = 0

const note = (entry: Entry): Promise<void> => {
  if (entry.kind === 'accepted') accepted++
  return store(entry)
}

const attemptsOf = (to: string): number => {
  begun++
  const before = attempts.get(to) ?? 0
  attempts.set(to, before + 1)
  return before
}

const servers = Array.from({ length: doorCount }, (_, door) =>
  createServer((socket) =>
    serveSmtp(socket, { door, behaviour: () => behaviour, note, attemptsOf, planned: () => plan.shift() }),
  ),
)
const doors = await openDoors(servers)

obey({
  ports: doors.ports,
  async act({ behave, cut, plan: planned = [] }) {
    if (behave) behaviour = behave
    plan.push(...planned)
    if (behaviour.state === 'down') await doors.shut()
    else await doors.open()
    if (cut) doors.cut()
  },
  report() {
    const { now, most } = doors.connections()
    return { accepted, begun, connections: now, mostConnections: most }
  },
})
