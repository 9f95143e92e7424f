import { AppError } from './errors.ts'

/** What large things may take in memory, all together. Whoever finds no room waits, and holds nothing meanwhile. */
export type MemoryBudget = { share(): MemoryShare }

export type MemoryShare = Disposable & {
  /** Returns once this share may be so many bytes larger; where that takes too long it answers 503. */
  grow(bytes: number): Promise<void>
}

type Options = {
  bytes: number
  /** How long somebody waits for room; shorter than a caller waits for an answer. */
  patienceMs?: number
}

const PATIENCE_MS = 10_000

export function createMemoryBudget({ bytes: total, patienceMs = PATIENCE_MS }: Options): MemoryBudget {
  let used = 0
  /**
   * In turn, so that somebody large is not overtaken for ever by the small. But whoever holds more comes first: only when
   * they are done is there room for the others.
   */
  const waiting: { bytes: number; held: number; enter: () => void }[] = []

  const fits = (bytes: number): boolean => used + bytes <= total

  function letIn(): void {
    for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
      waiting.shift()
      used += next.bytes
      next.enter()
    }
  }

  function claim(bytes: number, held: number): Promise<void> {
    if (bytes > total) throw full()
    const before = waiting.filter((one) => one.held >= held).length
    if (before === 0 && fits(bytes)) {
      used += bytes
      return Promise.resolve()
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(place), 1)
      reject(full())
      // Whoever stood behind may be small enough.
      letIn()
    }, patienceMs)
    const place = {
      bytes,
      held,
      enter() {
        clearTimeout(timer)
        resolve()
      },
    }
    waiting.splice(before, 0, place)
    return promise
  }

  return {
    share() {
      let held = 0
      return {
        async grow(bytes) {
          await claim(bytes, held)
          held += bytes
        },
        [Symbol.dispose]() {
          used -= held
          held = 0
          letIn()
        },
      }
    },
  }
}

const full = (): AppError =>
  new AppError(503, 'Too many large mails arrive at the moment. Please try again in a few seconds', {
    headers: { 'retry-after': '5' },
  })
