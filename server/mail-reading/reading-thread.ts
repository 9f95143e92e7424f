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
/** An idle thread gives its memory back: 30 MB that mail once a day does not need. */
const IDLE_MS = 60_000

type Waiting = { settle(outcome: Outcome): void; fail(error: Error): void; soFar: ReadMail | null }

/** A thread for mails, started when it is first asked, and anew after it had to be ended. */
export function createReadingThread(memoryMb: number): ReadingThread {
  let worker: Worker | null = null
  let waiting: Waiting | null = null
  let isBusy = false
  let idle: NodeJS.Timeout | undefined

  async function started(): Promise<Worker> {
    clearTimeout(idle)
    worker ??= await start()
    worker.ref()
    return worker
  }

  async function start(): Promise<Worker> {
    const made = new Worker(new URL('./thread.ts', import.meta.url), {
      name: 'mail reader',
      // Nothing of the configuration is for the eyes of a thread that reads what strangers write.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    })
    await ready(made)
    made.on('message', (answer: Answer) => {
      if (made === worker) hear(answer)
    })
    made.on('error', () => drop(made))
    made.on('exit', () => drop(made))
    return made
  }

  function hear(answer: Answer): void {
    if (answer.kind !== 'so-far') waiting?.settle({ answer })
    else if (waiting) waiting.soFar = answer.mail
  }

  /** This thread is no more; whoever waited for it gets what there is. */
  function drop(gone: Worker): void {
    if (gone !== worker) return
    worker = null
    waiting?.settle({ ended: 'crashed', soFar: waiting.soFar })
  }

  function answered(asked: Worker, question: Question, timeMs: number): Promise<Outcome> {
    const limit = setTimeout(() => {
      // The answer may have come while this process was busy: it is heard first.
      setImmediate(() => {
        if (waiting === null || asked !== worker) return
        worker = null
        void asked.terminate()
        waiting.settle({ ended: 'took too long', soFar: waiting.soFar })
      })
    }, timeMs)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    waiting = { settle: resolve, fail: reject, soFar: null }
    asked.postMessage(question, [question.raw.buffer])
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
      } finally {
        isBusy = false
        worker?.unref()
        idle = setTimeout(() => {
          void worker?.terminate()
          worker = null
        }, IDLE_MS).unref()
      }
    },
    async end() {
      clearTimeout(idle)
      const last = worker
      worker = null
      waiting?.fail(new Error('the mail reader was closed'))
      await last?.terminate()
    },
  }
}

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
