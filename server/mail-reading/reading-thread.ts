import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ReadMail } from './reading.ts'
import type { Answer, Question } from './thread-messages.ts'

/** How a question ended: answered, or with the thread, and then with what it had found until then. */
export type Outcome = { answer: Answer } | { ended: 'took too long' | 'crashed'; soFar: ReadMail | null }

export type ReadingThread = {
  isBusy(): boolean
  /** One at a time. Throws where no thread can be started, or where it was ended meanwhile by `end`. */
  ask(question: Question, timeMs: number): Promise<Outcome>
  end(): Promise<void>
}

/** To load the code of a thread takes a fifth of a second; on a machine that gasps, many times that. */
const START_MS = 30_000
/** An idle thread gives its memory back: 25 MB that mail once a day does not need. */
const IDLE_MS = 60_000

/**
 * A thread strips the types of its code by a compiler of its own, which takes 26 MB and most of the time of its start.
 * Compiled code is kept from one start to the next, where nobody else can write; without such a place all works as well.
 */
const CODE = `
  const { enableCompileCache, flushCompileCache } = require('node:module')
  enableCompileCache(${JSON.stringify(fileURLToPath(new URL('../../node_modules/.cache/threads', import.meta.url)))})
  import(${JSON.stringify(new URL('./thread.ts', import.meta.url).href)}).then(() => flushCompileCache())
`

type Waiting = { settle(outcome: Outcome): void; fail(error: Error): void; soFar: ReadMail | null }

const CLOSED = 'the mail reader was closed'

/** A thread for mails, started when it is first asked, and anew after it had to be ended. */
export function createReadingThread(memoryMb: number): ReadingThread {
  let current: Worker | null = null
  let starting: Promise<void> = Promise.resolve()
  let waiting: Waiting | null = null
  let isBusy = false
  let isEnded = false
  let idle: NodeJS.Timeout | undefined

  async function started(): Promise<Worker> {
    clearTimeout(idle)
    if (isEnded) throw new Error(CLOSED)
    const worker = current ?? start()
    worker.ref()
    await starting
    // Ended while it started: nobody would hear it.
    if (worker !== current) throw new Error(CLOSED)
    return worker
  }

  function start(): Worker {
    const worker = new Worker(CODE, {
      eval: true,
      name: 'mail reader',
      // Nothing of the configuration is for the eyes of a thread that reads what strangers write.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
    })
    current = worker
    starting = ready(worker)
    worker.on('message', (answer: Answer) => {
      if (worker === current) hear(answer)
    })
    worker.on('error', () => drop(worker))
    worker.on('exit', () => drop(worker))
    return worker
  }

  function hear(answer: Answer): void {
    if (answer.kind === 'so-far' && waiting) waiting.soFar = answer.mail
    else if (answer.kind !== 'ready') waiting?.settle({ answer })
  }

  /** This thread is no more; whoever waited for it gets what there is. */
  function drop(worker: Worker): void {
    if (worker !== current) return
    current = null
    waiting?.settle({ ended: 'crashed', soFar: waiting.soFar })
  }

  function answered(worker: Worker, question: Question, timeMs: number): Promise<Outcome> {
    const limit = setTimeout(() => {
      // The answer may have come while this process was busy: it is heard first.
      setImmediate(() => {
        if (waiting === null || worker !== current) return
        current = null
        void worker.terminate()
        waiting.settle({ ended: 'took too long', soFar: waiting.soFar })
      })
    }, timeMs)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    waiting = { settle: resolve, fail: reject, soFar: null }
    worker.postMessage(question, [question.raw.buffer])
    return promise.finally(() => {
      clearTimeout(limit)
      waiting = null
    })
  }

  return {
    isBusy: () => isBusy,
    async ask(question, timeMs) {
      isBusy = true
      try {
        return await answered(await started(), question, timeMs)
      } catch (error) {
        throw isEnded ? new Error(CLOSED) : error
      } finally {
        isBusy = false
        current?.unref()
        idle = setTimeout(() => {
          void current?.terminate()
          current = null
        }, IDLE_MS).unref()
      }
    },
    async end() {
      isEnded = true
      clearTimeout(idle)
      const last = current
      current = null
      waiting?.fail(new Error(CLOSED))
      await last?.terminate()
    },
  }
}

/** Settles when the thread has loaded its code, or is found to be unable to. */
function ready(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const late = setTimeout(() => reject(new Error('the thread for mails does not start')), START_MS)
  const gone = (error: unknown) =>
    reject(new Error('the thread for mails ended at its start', { cause: error }))
  worker
    .once('message', () => resolve())
    .once('error', gone)
    .once('exit', gone)
  return promise
    .catch((error: unknown) => {
      void worker.terminate()
      throw error
    })
    .finally(() => {
      clearTimeout(late)
      worker.off('error', gone).off('exit', gone)
    })
}
