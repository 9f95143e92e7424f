import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'

/**
 * The connections to the database, and a watch over them. A network that swallows bytes gives no error: a query would
 * wait for minutes. The watch asks a trivial question twice a second on a connection of its own; when no answer comes
 * within a second of listening, all connections are cut, every waiting request fails at once and is told so, and new
 * ones are made.
 */
export type DatabaseLines = {
  /** Makes the socket of a new connection; for the `stream` option of `pg`. */
  socket: () => Socket
  /** Begins to watch; before that, whoever connects sees for himself whether the database answers. */
  watch(): void
  stop(): void
}

const PAUSE_MS = 500
const PATIENCE_MS = 1_000
/** Listened to in pieces: of a timer that comes late, the delay is our own, on a busy machine, and no silence. */
const LISTEN_MS = 100

export function openDatabaseLines(url: string, log: Log): DatabaseLines {
  const sockets = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  let question: Promise<pg.Client> | null = null
  let isStopped = false
  let isAway = false
  let isSilent = false

  const newLine = (): Socket => {
    const line = new Socket()
    sockets.add(line)
    return line.on('close', () => sockets.delete(line))
  }

  const socket = (): Socket => {
    const line = newLine()
    // Who queues for a connection meanwhile is told at once, instead of after another vain wait.
    if (isSilent) setImmediate(() => line.destroy(noAnswer()))
    return line
  }

  function sayAway(how: string): void {
    if (!isAway && !isStopped) log.warn(`the database ${how}`)
    isAway = true
  }

  function cutAll(): void {
    sayAway('gives no answer; its connections are cut and made anew')
    isSilent = true
    for (const line of sockets) line.destroy()
  }

  async function ask(): Promise<void> {
    question ??= connect()
    await (await question).query('select 1')
    if (isAway) log.info('the database answers again')
    isAway = false
    isSilent = false
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      stream: newLine,
      application_name: 'postrider watch',
    })
    // Without a listener a broken connection would end the process.
    client.on('error', () => {})
    client.on('end', forget)
    await client.connect().catch((error: unknown) => {
      forget()
      throw error
    })
    return client
  }

  const forget = () => {
    question = null
  }

  async function turn(): Promise<void> {
    const answer = ask().then(
      () => 'answered' as const,
      () => 'refused' as const,
    )
    const outcome = await heard(answer)
    // A refusal is plain to everyone who asks; only silence needs the cut.
    if (outcome === 'refused') sayAway('refuses connections')
    if (outcome === null) cutAll()
    if (!isStopped) timer = setTimeout(turn, PAUSE_MS).unref()
  }

  /** Null where there is silence. */
  async function heard<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
    for (let listened = 0; listened < PATIENCE_MS; listened += LISTEN_MS) {
      const outcome = await Promise.race([answer, afterPiece()])
      clearTimeout(timer)
      if (outcome !== null) return outcome
    }
    // What has come while this process had no turn is heard first.
    await nextTurn()
    return Promise.race([answer, null])
  }

  const afterPiece = () =>
    new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), LISTEN_MS).unref()
    })

  return {
    socket,
    watch: () => void turn(),
    stop() {
      isStopped = true
      clearTimeout(timer)
      question?.then((client) => client.end()).catch(() => {})
    },
  }
}

const noAnswer = () => Object.assign(new Error('the database gives no answer'), { code: 'ETIMEDOUT' })
