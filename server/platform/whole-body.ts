import type { IncomingMessage } from 'node:http'
import { AppError } from './errors.ts'
import type { MemoryShare } from './memory-budget.ts'

type Options = {
  most: number
  /** Asked for the room before it is filled. */
  memory: MemoryShare
}

const FIRST_ROOM = 65_536

/**
 * The body of a request or of an answer, in one piece. Copied to one place as it comes, since it may come in pieces of
 * one byte, each of which would be kept as an object.
 */
export async function readWhole(
  message: IncomingMessage,
  { most, memory }: Options,
): Promise<Buffer | 'too-large' | 'cut-short'> {
  const told = Number(message.headers['content-length'] ?? Number.NaN)
  if (told > most) return 'too-large'
  let whole = Buffer.alloc(0)
  let length = 0

  /** All at once where it is told how much will come, so that nobody waits for room with half a mail in hand. */
  async function makeRoom(wanted: number): Promise<void> {
    const size = told >= wanted ? told : Math.min(most, Math.max(FIRST_ROOM, wanted, 2 * whole.length))
    await memory.grow(size - whole.length)
    const larger = Buffer.allocUnsafeSlow(size)
    whole.copy(larger, 0, 0, length)
    whole = larger
  }

  if (told > 0) await makeRoom(told)
  try {
    for await (const piece of message as AsyncIterable<Buffer>) {
      if (length + piece.length > most) return 'too-large'
      if (length + piece.length > whole.length) await makeRoom(length + piece.length)
      length += piece.copy(whole, length)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    // Whoever sent it has gone.
    return 'cut-short'
  }
  return message.complete ? whole.subarray(0, length) : 'cut-short'
}
