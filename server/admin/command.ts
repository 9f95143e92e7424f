import { once } from 'node:events'
import { AppError, StartError } from '../platform/errors.ts'

/** What an operator does by hand: `npm run admin -- NAME TAKES`. */
export type Command = {
  name: string
  /** One word for each argument; the last one may be several, `FILE…`, or left out, `[really]`. */
  takes: string
  /** One sentence, without its beginning and its end. */
  does: string
  /** Answers the exit code. */
  run(...args: string[]): Promise<number>
}

/** Whatever goes wrong is told in one sentence: a stack helps nobody who did not write this. */
export async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  if (!takesSoMany(command, args.length)) return complain(usageOf(command))
  process.stdout.on('error', noteReaderGone)
  try {
    return await command.run(...args)
  } catch (error) {
    // As in `npm run admin -- users | head`: who has read enough is no failure.
    if (codeOf(error) === 'EPIPE') return 0
    return complain(sentenceOf(command, error))
  } finally {
    process.stdout.off('error', noteReaderGone)
  }
}

function takesSoMany({ takes }: Command, count: number): boolean {
  const words = takes === '' ? 0 : takes.split(' ').length
  if (takes.endsWith(']')) return count === words || count === words - 1
  return takes.endsWith('…') ? count >= words : count === words
}

const usageOf = ({ name, takes }: Command): string =>
  takes === ''
    ? `${name} takes nothing behind it: npm run admin -- ${name}`
    : `${name} needs ${takes} behind it: npm run admin -- ${name} ${takes}`

function sentenceOf({ name }: Command, error: unknown): string {
  if (error instanceof StartError || error instanceof AppError) return error.message
  const words = error instanceof Error ? error.message || codeOf(error) : String(error)
  return `${name} did not work: ${words.split('\n')[0]}`
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

let readerGone: Error | null = null
const noteReaderGone = (error: Error): void => {
  readerGone = error
}

/** Waits while nobody reads: a list of any length takes no memory. */
export async function say(line: string): Promise<void> {
  if (readerGone) throw readerGone
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}

export function complain(sentence: string): 1 {
  process.stderr.write(`${sentence}\n`)
  return 1
}
