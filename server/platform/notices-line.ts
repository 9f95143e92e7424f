import { Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseLines } from './database-lines.ts'

export type LinePace = {
  /** Networks forget a connection on which nothing is said for some minutes, and tell nobody. */
  askEveryMs: number
  /** For the answer, of a database that may have much to do. */
  patienceMs: number
}

export const LINE_PACE: LinePace = { askEveryMs: 30_000, patienceMs: 10_000 }

type Needs = {
  url: string
  lines?: DatabaseLines | undefined
  channel: string
  pace: LinePace
  heard(payload: string): void
  /** The line was there, and is no more. */
  lost(): void
}

/** Silence is counted in pieces: of a timer that comes late, the delay is our own, on a busy machine, and no silence. */
const PIECES = 10

/**
 * A connection that listens. Nothing is sent on it by itself, so that one which leads nowhere any more would look as one
 * on which nothing is said: it is asked now and then, and cut when it gives no answer.
 */
export async function openNoticesLine(needs: Needs): Promise<{ close(): Promise<void> }> {
  const { askEveryMs, patienceMs } = needs.pace
  const socket = needs.lines?.socket() ?? new Socket()
  const client = new pg.Client({
    connectionString: needs.url,
    stream: () => socket,
    application_name: 'postrider notices',
  })
  let nextQuestion: NodeJS.Timeout | undefined

  async function inTime(answer: Promise<unknown>): Promise<void> {
    let pieces = PIECES
    const silence = setInterval(() => {
      pieces -= 1
      if (pieces === 0) socket.destroy()
    }, patienceMs / PIECES)
    await answer.finally(() => clearInterval(silence))
  }

  function askLater(): void {
    nextQuestion = setTimeout(() => {
      // Whatever fails here ends the line, of which everybody hears.
      inTime(client.query('select 1')).then(askLater, () => socket.destroy())
    }, askEveryMs).unref()
  }

  const close = async (): Promise<void> => {
    clearTimeout(nextQuestion)
    await inTime(client.end()).catch(() => {})
  }

  // Without a listener a broken connection would end the process.
  client.on('error', () => {})
  client.on('notification', ({ payload }) => needs.heard(payload ?? ''))
  try {
    await inTime(client.connect())
    await inTime(client.query(`listen ${needs.channel}`))
  } catch (error) {
    await close()
    throw error
  }
  client.on('end', () => {
    clearTimeout(nextQuestion)
    needs.lost()
  })
  askLater()
  return { close }
}
