import type { IncomingMessage } from 'node:http'
import { AppError } from './errors.ts'
import type { MemoryShare } from './memory-budget.ts'

type Options = {
  most: number
  /** Asked for the room before it is filled. */
  memory: MemoryShare
  /** How long it may take. */
  timeoutMs?: number
}

const FIRST_ROOM = 65_536

/**
 * The body of a request or of an answer, in one piece. Copied to one place as it comes, since it may come in pieces of
 * one byte, each of which would be kept as an object.
 */
export async function readWhole(
  message: IncomingMessage,
  { most, memory, timeoutMs }: Options,
): Promise<Buffer | 'too-large' | 'cut-short' | 'too-slow'> {
  const told = Number(message.headers['content-length'] ?? Number.NaN)
  if (told > most) return 'too-large'
  const limit = told >= 0 ? told : most
  let whole = Buffer.from(new ArrayBuffer(0))
  let length = 0
  // Others may need the room while this one comes in drop by drop.
  using _ = memory.filling(() => {
    whole = Buffer.from(new ArrayBuffer(0))
  })

  /** Never much more than has come: whoever announces a large mail and brings none takes nothing from anybody. */
  async function makeRoom(wanted: number): Promise<void> {
    const size = Math.min(Math.max(FIRST_ROOM, wanted, 2 * whole.length), Math.max(wanted, limit))
    await memory.grow(size - whole.length)
    // What it has outgrown is given back at once, and not when garbage is next looked for.
    whole = Buffer.from(whole.buffer.transfer(size))
  }

  const pieces = until(message, timeoutMs)
  try {
    for await (const piece of pieces) {
      if (piece === 'too-slow') return piece
      if (length + piece.length > most) return 'too-large'
      if (length + piece.length > whole.length) await makeRoom(length + piece.length)
      length += piece.copy(whole, length)
    }
    // All was lost, perhaps with the last piece: this says so.
    if (length > whole.length) await makeRoom(length)
  } catch (error) {
    if (error instanceof AppError) throw error
    // Whoever sent it has gone.
    return 'cut-short'
  }
  // A request that was made up for a test does not say.
  return message.complete === false ? 'cut-short' : whole.subarray(0, length)
}

/** Piece by piece, and a last word where it takes too long: whoever sends it can then still be answered. */
async function* until(
  message: IncomingMessage,
  timeoutMs: number | undefined,
): AsyncGenerator<Buffer | 'too-slow'> {
  let isLate = false
  let wake = () => {}
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true
          wake()
        }, timeoutMs)
  const pieces: AsyncIterator<Buffer> = message.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      // A promise of its own for each piece: one that all of them raced against would remember every one of them.
      const next = await new Promise<IteratorResult<Buffer> | 'too-slow'>((resolve, reject) => {
        wake = () => resolve('too-slow')
        pieces.next().then(resolve, reject)
      })
      if (next === 'too-slow' || isLate) yield 'too-slow'
      if (next === 'too-slow' || isLate || next.done) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
  }
}
