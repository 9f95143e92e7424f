import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { StartError } from '../platform/errors.ts'
import { codeOf } from './command.ts'

/**
 * A backup is a gzip file: a line that says so, a header, then for each table of the header its rows in PostgreSQL's COPY
 * text, and at the end a checksum of everything before it. Header and rows come as pieces, each behind its length; a
 * piece of length 0 ends the table. So neither side ever holds more than a piece.
 */
export type Header = z.infer<typeof Header>

const Header = z.object({
  version: z.string(),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  /** The highest number that was ever given out. */
  sequences: z.array(z.object({ table: z.string(), column: z.string(), last: z.string() })),
})

const FIRST_LINE = Buffer.from('Postrider backup 1\n')
const PIECE_MAX = 1_000_000
const LENGTH_BYTES = 4
const CHECKSUM_BYTES = 32

/** The bytes of a backup before they are packed. */
export async function* writeBackup(
  header: Header,
  rowsOf: (table: Header['tables'][number]) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const checksum = createHash('sha256')
  const noted = (bytes: Buffer): Buffer => {
    checksum.update(bytes)
    return bytes
  }
  function* pieces(bytes: Buffer): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += PIECE_MAX) {
      const piece = bytes.subarray(at, at + PIECE_MAX)
      yield noted(lengthOf(piece))
      yield noted(piece)
    }
  }
  const end = Buffer.alloc(LENGTH_BYTES)

  yield noted(FIRST_LINE)
  yield* pieces(Buffer.from(JSON.stringify(header)))
  yield noted(end)
  for (const table of header.tables) {
    for await (const rows of rowsOf(table)) yield* pieces(rows)
    yield noted(end)
  }
  yield checksum.digest()
}

function lengthOf(piece: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(piece.length)
  return length
}

export type BackupReader = AsyncDisposable & {
  header: Header
  /** The rows of the next table in the header; to be read to their end before the next is asked for. */
  nextTable(): AsyncGenerator<Buffer>
  /** After the last table: throws unless everything that was read is what was written. */
  verify(): Promise<void>
}

export async function readBackup(file: string): Promise<BackupReader> {
  const packed = createReadStream(file)
  const plain = createGunzip()
  packed.on('error', (error) => plain.destroy(error))
  const source = createSource(packed.pipe(plain), file)
  const checksum = createHash('sha256')
  const take = async (count: number): Promise<Buffer> => {
    const bytes = await source.take(count)
    checksum.update(bytes)
    return bytes
  }
  async function* pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      const length = (await take(LENGTH_BYTES)).readUInt32BE()
      if (length === 0) return
      if (length > PIECE_MAX) throw damaged(file)
      yield await take(length)
    }
  }
  const stop = (): void => {
    packed.destroy()
    plain.destroy()
  }

  try {
    if (!FIRST_LINE.equals(await take(FIRST_LINE.length))) throw noBackup(file)
    const text: Buffer[] = []
    for await (const piece of pieces()) text.push(piece)
    const header = parseHeader(Buffer.concat(text).toString())
    if (!header) throw damaged(file)
    return {
      header,
      nextTable: pieces,
      async verify() {
        const expected = checksum.digest()
        if (!expected.equals(await source.take(CHECKSUM_BYTES)) || !(await source.isAtEnd()))
          throw damaged(file)
      },
      [Symbol.asyncDispose]: async () => stop(),
    }
  } catch (error) {
    stop()
    throw error
  }
}

function parseHeader(text: string): Header | null {
  try {
    return Header.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** So many bytes at a time of a stream that comes in other pieces. */
function createSource(stream: AsyncIterable<Buffer>, file: string) {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<boolean> {
    const next = await chunks.next().catch((error: unknown) => {
      throw explain(file, error)
    })
    if (next.done) return false
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
    return true
  }

  return {
    async take(count: number): Promise<Buffer> {
      while (rest.length < count) if (!(await more())) throw damaged(file)
      const taken = rest.subarray(0, count)
      rest = rest.subarray(count)
      return taken
    },
    isAtEnd: async (): Promise<boolean> => rest.length === 0 && !(await more()),
  }
}

function explain(file: string, error: unknown): StartError {
  if (codeOf(error) === 'Z_DATA_ERROR' && error instanceof Error && /incorrect header/.test(error.message))
    return noBackup(file)
  if (codeOf(error).startsWith('Z_')) return damaged(file)
  const words = error instanceof Error ? error.message : String(error)
  return new StartError(`${file} cannot be read: ${words}`, { cause: error })
}

const damaged = (file: string): StartError =>
  new StartError(
    `The backup ${file} is damaged or cut short, so nothing was restored; take another copy of it`,
  )

const noBackup = (file: string): StartError =>
  new StartError(`${file} is no backup that npm run admin -- backup has made, or one of a newer version`)
