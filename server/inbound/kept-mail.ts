import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SMTPServerDataStream } from 'smtp-server'
import type { MemoryBudget } from '../platform/memory-budget.ts'
import { clearYoungGarbage } from '../platform/young-garbage.ts'

type KeptMail = Disposable & {
  /** Null where it was too large, or where all mails together were; it has been heard to its end all the same. */
  raw: Buffer | null
}

type Keeping = {
  memory: MemoryBudget
  /** On whose behalf: one who brings many at a time, or brings them slowly, does not fill the room of all. */
  owner: string
  /** What is wanted of the mail; the rest is heard and forgotten. */
  most: number
  /** A mail above this is refused anyway. */
  tooLarge: number
  /** For each piece, with the length so far. */
  heard(length: number): void
}

/** Asked of the budget at a time. */
const STEP = 262_144
/** The server copies all that it hears, and leaves both behind: after so much of a mail that is cleared away. */
const LITTER = 2_000_000

/** Keeps a mail while it comes in. Whoever is done with it gives its memory back. */
export async function keepMail(
  stream: SMTPServerDataStream,
  { memory, owner, most, tooLarge, heard }: Keeping,
): Promise<KeptMail> {
  const share = memory.share(owner)
  let pieces: Pieces | null = createPieces()
  let granted = 0
  let cleared = 0

  function drop(): void {
    share[Symbol.dispose]()
    pieces = null
  }

  const keeper = new Writable({
    write(heardPiece: Buffer, _encoding, done) {
      heard(stream.byteLength)
      if (stream.byteLength > tooLarge) drop()
      if (stream.byteLength - cleared > LITTER) {
        cleared = stream.byteLength
        clearYoungGarbage()
      }
      const length = pieces?.length() ?? 0
      const piece = heardPiece.subarray(0, most - length)
      const missing = length + piece.length - granted
      if (pieces === null || missing <= 0) {
        pieces?.add(piece)
        done()
        return
      }
      const step = Math.min(Math.max(missing, STEP), most - granted)
      share
        .grow(step)
        .then(() => {
          granted += step
          pieces?.add(piece)
        }, drop)
        .finally(done)
    },
  })
  try {
    using _ = share.filling(() => {
      pieces = null
    })
    await pipeline(stream, keeper)
  } catch (error) {
    drop()
    throw error
  }
  return { raw: pieces?.whole() ?? null, [Symbol.dispose]: drop }
}

type Pieces = { add(piece: Buffer): void; length(): number; whole(): Buffer }

const LARGE = 16_384
const BLOCK = 65_536

/**
 * Large pieces are kept as they are: a copy would leave them behind, and nobody clears those away soon. Small ones are
 * copied together, since a mail may come in pieces of three bytes, each of which would be kept as an object.
 */
function createPieces(): Pieces {
  const pieces: Buffer[] = []
  let block = Buffer.alloc(0)
  let used = 0
  let length = 0

  function closeBlock(): void {
    if (used > 0) pieces.push(block.subarray(0, used))
    block = block.subarray(used)
    used = 0
  }

  return {
    add(piece) {
      length += piece.length
      if (piece.length >= LARGE) {
        closeBlock()
        pieces.push(piece)
        return
      }
      if (piece.length > block.length - used) {
        closeBlock()
        block = Buffer.allocUnsafeSlow(BLOCK)
      }
      piece.copy(block, used)
      used += piece.length
    },
    length: () => length,
    whole() {
      closeBlock()
      return Buffer.concat(pieces.splice(0), length)
    },
  }
}
