import { createReadStream } from 'node:fs'
import { readBounce as judge } from '../bounces/read-bounce.ts'
import { type Command, complain, say } from './command.ts'

/** More than the reader looks at: a file of any size costs no more memory than this. */
const READ_MAX = 33_000_000

export const readBounce: Command = {
  name: 'read-bounce',
  takes: 'FILE…',
  does: 'says of each raw mail whether it is a bounce or a complaint, one JSON line a file',
  async run(...files) {
    let code = 0
    for (const file of files) {
      const raw = await readStart(file)
      if (raw instanceof Error) code = complain(`${file} cannot be read: ${raw.message}`)
      else {
        const { kind, recipient, status, reason } = await judge(raw)
        await say(JSON.stringify({ file, kind, recipient, status, reason }))
      }
    }
    return code
  },
}

async function readStart(file: string): Promise<Buffer | Error> {
  try {
    const pieces: Buffer[] = []
    for await (const piece of createReadStream(file, { end: READ_MAX })) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
