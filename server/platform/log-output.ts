/** What a reader who is slow may have to catch up with; beyond it lines are dropped. */
const WAITING_LIMIT = 1024 * 1024
const AGAIN_MS = 50

const LINE_END = Buffer.from('\n')

/** Where log lines go. */
export type LogOutput = {
  write(line: string): void
  /** The last try: what cannot be written now is lost. */
  flush(): void
}

/**
 * Lines that cannot be written are dropped, and later ones tried again: a full disk, or a reader who has gone, costs
 * the log and nothing else. `write` answers how many bytes it has taken.
 */
export function createLogOutput(write: (bytes: Buffer) => number): LogOutput {
  let waiting: Buffer[] = []
  let size = 0
  let isInsideLine = false
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    let bytes = Buffer.concat(waiting)
    try {
      while (bytes.length > 0) {
        const taken = write(bytes)
        isInsideLine = bytes[taken - 1] !== LINE_END[0]
        bytes = bytes.subarray(taken)
      }
      keep([])
    } catch (error) {
      if (isReaderSlow(error)) {
        keep([bytes])
        tryAgain()
      }
      // A line that was cut off is ended first, or the next one would be glued to it.
      else keep(isInsideLine ? [LINE_END] : [])
    }
  }

  function keep(pieces: Buffer[]): void {
    waiting = pieces
    size = pieces.reduce((sum, { length }) => sum + length, 0)
  }

  function tryAgain(): void {
    timer ??= setTimeout(() => {
      timer = null
      flush()
    }, AGAIN_MS).unref()
  }

  return {
    write(line) {
      if (size > WAITING_LIMIT) return
      const bytes = Buffer.from(line)
      waiting.push(bytes)
      size += bytes.length
      if (timer === null) flush()
    },
    flush,
  }
}

/** A pipe takes no more for the moment. */
const isReaderSlow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN'
