import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { AppError } from '../platform/errors.ts'
import { createMemoryBudget, type MemoryBudget } from '../platform/memory-budget.ts'

/** A file is held in memory until the browser has all of it. */
const FILES_PER_USER = 4
/** For the files of all users together: several of the largest that a mail can hold. */
const FILES_BYTES = 100_000_000
/** However slow a line is, it takes something in this time. */
const UNTAKEN_MS = 30_000
/** Handed over at a time: what is left shows how far the reader has come. */
const PIECE = 65_536

type FileFetch = {
  /** To be called before the file is there: whoever waits for room holds nothing. */
  makeRoom(bytes: number): Promise<void>
  /** Whoever takes nothing of it for long is cut off. */
  pieces(file: Uint8Array): Readable
}

export type FileFetches = { begin(userId: string, response: ServerResponse): FileFetch }

export function createFileFetches(
  memory: MemoryBudget = createMemoryBudget({ bytes: FILES_BYTES }),
): FileFetches {
  const fetching = new Map<string, number>()

  function count(userId: string, change: 1 | -1): void {
    const now = (fetching.get(userId) ?? 0) + change
    if (now === 0) fetching.delete(userId)
    else fetching.set(userId, now)
  }

  return {
    begin(userId, response) {
      // Whoever hung up while their session was looked up would be counted for ever: the end that counts them out is past.
      if (response.closed) throw full()
      if ((fetching.get(userId) ?? 0) >= FILES_PER_USER)
        throw new AppError(429, 'Too many files are being fetched at the same time; please wait for some')
      count(userId, 1)
      const share = memory.share(userId)
      let isOver = false
      let untaken: NodeJS.Timeout | undefined
      response.once('close', () => {
        isOver = true
        clearTimeout(untaken)
        share[Symbol.dispose]()
        count(userId, -1)
      })
      return {
        async makeRoom(bytes) {
          // What were taken after the end would never be given back.
          if (isOver) throw full()
          await share.grow(bytes).catch((error: unknown) => {
            throw error instanceof AppError ? full() : error
          })
        },
        pieces(file) {
          if (!isOver) untaken = setTimeout(() => response.destroy(), UNTAKEN_MS)
          const all = piecesOf(file, () => untaken?.refresh())
          return Readable.from(all, { objectMode: false, highWaterMark: PIECE })
        },
      }
    },
  }
}

function* piecesOf(file: Uint8Array, taken: () => void): Generator<Buffer> {
  for (let from = 0; from < file.byteLength; from += PIECE) {
    taken()
    yield Buffer.from(file.buffer, file.byteOffset + from, Math.min(PIECE, file.byteLength - from))
  }
}

const full = (): AppError =>
  new AppError(503, 'Too many files are being fetched at the moment. Please try again in a few seconds', {
    headers: { 'retry-after': '5' },
  })
