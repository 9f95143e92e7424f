import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { AttachedFile, MailReader, ReadMail } from './reading.ts'
import { createReadingThread, type Outcome, type ReadingThread } from './reading-thread.ts'
import type { Question } from './thread-messages.ts'

export type ReaderLimits = {
  /** For one mail, then its thread is ended. */
  timeMs: number
  /** The heap of a thread. */
  memoryMb: number
  /** Two, so that one slow mail does not hold up all others. */
  threads: number
  /** A larger mail is read plainly, from its beginning. */
  bytes: number
}

const LIMITS: ReaderLimits = {
  // An answer is there within 2 s, the ending of a thread included.
  timeMs: 1_800,
  memoryMb: 192,
  threads: 2,
  bytes: 60_000_000,
}
const BEGINNING_BYTES = 2_000_000

type Asked = {
  question(): Question
  bytes: number
  settle(outcome: Outcome): void
  fail(error: unknown): void
}

export function createMailReader(options: { limits?: Partial<ReaderLimits>; log?: Log } = {}): MailReader {
  const limits = { ...LIMITS, ...options.limits }
  const threads: ReadingThread[] = []
  const queue: Asked[] = []
  let isClosed = false

  function ask(bytes: number, question: () => Question): Promise<Outcome> {
    if (isClosed) return Promise.reject(new Error('the mail reader was closed'))
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    queue.push({ question, bytes, settle: resolve, fail: reject })
    next()
    return promise
  }

  /** Gives the first in the queue to a thread that is free, if there is one. */
  function next(): void {
    if (queue.length === 0) return
    const thread = threads.find((one) => !one.isBusy()) ?? anotherThread()
    const asked = thread && queue.shift()
    if (!thread || !asked) return
    thread
      .ask(asked.question(), limits.timeMs)
      .then((outcome) => {
        if ('ended' in outcome)
          options.log?.warn({ bytes: asked.bytes, why: outcome.ended }, 'a mail could not be read thoroughly')
        asked.settle(outcome)
      })
      .catch(asked.fail)
      .finally(next)
  }

  function anotherThread(): ReadingThread | undefined {
    if (threads.length >= limits.threads) return undefined
    const thread = createReadingThread(limits.memoryMb)
    threads.push(thread)
    return thread
  }

  return {
    async read(raw, envelopeFrom) {
      const outcome = await ask(raw.byteLength, () =>
        raw.byteLength > limits.bytes
          ? { kind: 'read-plainly', raw: copyOf(raw.subarray(0, BEGINNING_BYTES)), envelopeFrom }
          : { kind: 'read', raw: copyOf(raw), envelopeFrom },
      )
      return mailIn(outcome)
    },
    async attachment(raw, index) {
      const outcome = await ask(raw.byteLength, () => ({ kind: 'attachment', raw: copyOf(raw), index }))
      return fileIn(outcome)
    },
    async close() {
      isClosed = true
      for (const { fail } of queue.splice(0)) fail(new Error('the mail reader was closed'))
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

/** The bytes go over to the thread, so it gets its own. */
const copyOf = (raw: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(raw)

function mailIn(outcome: Outcome): ReadMail | null {
  if ('ended' in outcome) return outcome.soFar && { ...outcome.soFar, isPartial: true }
  return outcome.answer.kind === 'read' ? outcome.answer.mail : null
}

function fileIn(outcome: Outcome): AttachedFile | null {
  if ('ended' in outcome)
    throw new AppError(503, 'This file cannot be taken out of its message at the moment. Please try again')
  return outcome.answer.kind === 'file' ? outcome.answer.file : null
}
