import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '../../compile-cache.ts'
import { until } from '../../until.ts'
import {
  type Acceptance,
  type Behaviour,
  type Command,
  Entry,
  HONEST,
  type LedgerKind,
  type Lie,
  OWNER,
  Report,
} from './protocol.ts'

/** A provider that writes down what it takes before it says so, in a process of its own. */
export type Ledger = AsyncDisposable & {
  kind: LedgerKind
  /** What makes a Postrider send by this ledger; each worker can have a door of its own. */
  env: (door?: number) => Record<string, string>
  ports: readonly number[]
  /** Changes what is named and leaves the rest of its behaviour. */
  behave: (behaviour: Partial<Behaviour>) => Promise<void>
  /** The next calls that bring mail meet these, one each; null is an honest answer. By HTTP only. */
  plan: (lies: readonly (Lie | null)[]) => Promise<void>
  /** Gives the answers that are being held. */
  release: () => Promise<void>
  /** Cuts all connections, those that were kept waiting included. */
  cut: () => Promise<void>
  report: () => Promise<Report>
  entries: () => Promise<Entry[]>
  /** What was taken, without the product's own mails. */
  acceptances: () => Promise<Acceptance[]>
  /** Waits for the code in the newest mail to this owner. */
  code: (owner: string) => Promise<string>
}

const program = (kind: LedgerKind): URL =>
  new URL(kind === 'smtp' ? 'smtp-server.ts' : 'http-server.ts', import.meta.url)

const ENVIRONMENT: Record<LedgerKind, (port: number | undefined) => Record<string, string>> = {
  smtp: (port) => ({ SMTP_URL: `smtp://127.0.0.1:${port}` }),
  resend: (port) => ({ RESEND_API_KEY: 're_ledger', RESEND_BASE_URL: `http://127.0.0.1:${port}` }),
  sendgrid: (port) => ({ SENDGRID_BASE_URL: `http://127.0.0.1:${port}` }),
  mailgun: (port) => ({ MAILGUN_BASE_URL: `http://127.0.0.1:${port}` }),
  ses: (port) => ({ SES_BASE_URL: `http://127.0.0.1:${port}` }),
}

export async function aLedger(kind: LedgerKind, { doors = 1 } = {}): Promise<Ledger> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-ledger-'))
  const path = join(folder, 'ledger.jsonl')
  const child = fork(fileURLToPath(program(kind)), [kind, path, String(doors)], {
    execPath: process.execPath,
    // Vitest's own flags are not for the child.
    execArgv: [],
    env: { ...process.env, ...COMPILE_CACHE },
  })
  const ask = questions(child)
  const { ports } = await ask.first
  let behaviour = HONEST

  const entries = growing(path)

  return {
    kind,
    env: (door = 0) => ENVIRONMENT[kind](ports[door]),
    ports,
    async behave(change) {
      behaviour = { ...behaviour, ...change }
      await ask({ behave: behaviour })
    },
    plan: async (lies) => void (await ask({ plan: [...lies] })),
    release: async () => void (await ask({ release: true })),
    cut: async () => void (await ask({ cut: true })),
    report: () => ask({}),
    entries,
    acceptances: async () => (await entries()).filter(isAcceptance).filter(({ to }) => !to.startsWith(OWNER)),
    async code(owner) {
      let code: string | undefined
      await until('a code for the owner', async () => {
        const mails = (await entries()).filter(isAcceptance).filter(({ to }) => to === owner)
        code = mails.at(-1)?.text?.match(/^\s*(\d{6})\s*$/m)?.[1]
        return code !== undefined
      })
      return code ?? ''
    },
    async [Symbol.asyncDispose]() {
      // It leaves by itself, and Node can keep what it compiled for the next one.
      const left = new Promise((resolve) => child.once('exit', resolve))
      child.disconnect()
      await left
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isAcceptance = (entry: Entry): entry is Acceptance => entry.kind === 'accepted'

/** Reads the file from where it was read to before: tests look again and again while it grows. */
function growing(path: string): () => Promise<Entry[]> {
  const entries: Entry[] = []
  let position = 0
  let reading: Promise<void> = Promise.resolve()

  async function readOn(): Promise<void> {
    await using file = await open(path)
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - position), position })
    // The last line may be half written while the ledger works; a whole one ends with a line feed.
    const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
    position += end
    for (const line of buffer.toString('utf8', 0, end).split('\n'))
      if (line) entries.push(Entry.parse(JSON.parse(line)))
  }

  return async () => {
    // One after the other, for a test that asks twice at the same time.
    reading = reading.then(readOn)
    await reading
    return [...entries]
  }
}

type Ask = ((question: Omit<Command, 'id'>) => Promise<Report>) & { first: Promise<Report> }

function questions(child: ChildProcess): Ask {
  const waiting = new Map<number, (report: Report) => void>()
  let last = 0
  const first = new Promise<Report>((resolve, reject) => {
    waiting.set(0, resolve)
    child.once('exit', (code) => reject(new Error(`the ledger ended with ${code}`)))
  })
  // Killed at the end of the test, when nobody asks any more.
  first.catch(() => {})
  child.on('message', (message) => {
    const report = Report.parse(message)
    waiting.get(report.id)?.(report)
    waiting.delete(report.id)
  })
  const ask = (question: Omit<Command, 'id'>) =>
    new Promise<Report>((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      child.send({ id, ...question })
    })
  return Object.assign(ask, { first })
}
