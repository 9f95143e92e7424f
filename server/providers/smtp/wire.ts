import type { Socket } from 'node:net'
import { createReplyReader, type Reply } from './replies.ts'

/** Who hears what happens on a wire. */
type WireListener = {
  onReply(reply: Reply): void
  /** The time given with `expectWithin` is over. */
  onSilence(): void
  /** The connection is gone. Comes once, and nothing comes after it. */
  onEnd(reason: string): void
}

export type Wire = {
  listener: WireListener
  /** Why the connection is gone, or null while it is not. */
  readonly ended: () => string | null
  /** `onWritten` is called once the system has taken it all, and never where that failed. */
  write(bytes: Buffer | string, onWritten?: () => void): void
  expectWithin(milliseconds: number): void
  end(reason: string): void
  /** Says goodbye and is gone when the relay has answered, or after so many milliseconds. */
  quit(milliseconds: number): Promise<void>
  /** Gives the socket away, for TLS to be put around it; null when there are bytes on it that nobody asked for. */
  release(): Socket | null
}

/** An expected failure of the connection, with words that can be shown. */
export class ConnectionFailure extends Error {}

export function createWire(socket: Socket): Wire {
  let ended: string | null = null
  let deadline = Number.POSITIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let timerDue = 0
  const reader = createReplyReader((reply) => {
    // The rest of a chunk may hold more replies after one that made us leave.
    if (ended === null) wire.listener.onReply(reply)
  })

  function end(reason: string): void {
    if (ended !== null) return
    ended = reason
    stopTimer()
    socket.destroy()
    wire.listener.onEnd(reason)
  }

  function stopTimer(): void {
    if (timer) clearTimeout(timer)
    timer = null
  }

  /**
   * A timer for each of a mail's four replies would be thousands a second. One runs on, and looks at the deadline when
   * it is due: it is renewed only when it would come too late.
   */
  function startTimer(milliseconds: number, now: number): void {
    stopTimer()
    timerDue = now + milliseconds
    timer = setTimeout(() => {
      timer = null
      const left = deadline - performance.now()
      if (left > 0) startTimer(left, performance.now())
      else wire.listener.onSilence()
    }, Math.ceil(milliseconds))
  }

  const onData = (chunk: Buffer) => {
    if (ended === null && !reader.feed(chunk)) end('The relay sent something that is not an SMTP reply')
  }
  const onClose = () => end('The relay closed the connection')
  const onError = (error: Error) => end(inWords(error))
  socket.on('data', onData).on('end', onClose).on('close', onClose).on('error', onError)

  const wire: Wire = {
    listener: outOfTurn(end),
    ended: () => ended,
    write(bytes, onWritten) {
      if (ended === null) socket.write(bytes, onWritten && unlessFailed(onWritten))
    },
    expectWithin(milliseconds) {
      if (ended !== null) return
      const now = performance.now()
      deadline = now + milliseconds
      if (timer === null || timerDue > deadline) startTimer(milliseconds, now)
    },
    end,
    quit(milliseconds) {
      if (ended !== null) return Promise.resolve()
      ended = 'closed'
      stopTimer()
      return new Promise((resolve) => {
        const bound = setTimeout(() => socket.destroy(), milliseconds)
        socket
          .on('data', () => socket.end())
          .on('close', () => {
            clearTimeout(bound)
            resolve()
          })
        socket.write('QUIT\r\n')
      })
    },
    release() {
      if (ended !== null || reader.hasRest()) return null
      ended = 'released'
      stopTimer()
      socket.off('data', onData).off('end', onClose).off('close', onClose)
      return socket
    },
  }
  return wire
}

/** A failure is told here before `error` comes: whoever went on writing would take the text for handed over. */
const unlessFailed =
  (then: () => void) =>
  (error?: Error | null): void => {
    if (!error) then()
  }

/** While no answer is awaited, whatever comes is either a goodbye or a sign that somebody plays with the order of replies. */
const outOfTurn = (end: Wire['end']): WireListener => ({
  onReply: ({ code, text }) => end(`The relay spoke out of turn: ${code} ${text}`),
  onSilence: () => {},
  onEnd: () => {},
})

/** One command and its one reply; null asks nothing and waits for the greeting. */
export function ask(wire: Wire, line: string | null, milliseconds: number): Promise<Reply> {
  if (line !== null && /[\r\n\0]/.test(line)) throw new Error('An SMTP command must be one line')
  const ended = wire.ended()
  if (ended !== null) return Promise.reject(new ConnectionFailure(ended))
  return new Promise((resolve, reject) => {
    const rest = outOfTurn(wire.end)
    wire.listener = {
      onReply(reply) {
        wire.listener = rest
        resolve(reply)
      },
      onSilence: () => wire.end(silence(milliseconds)),
      onEnd: (reason) => reject(new ConnectionFailure(reason)),
    }
    wire.expectWithin(milliseconds)
    if (line !== null) wire.write(`${line}\r\n`)
  })
}

export const silence = (milliseconds: number): string =>
  `The relay did not answer within ${milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 1000)} seconds`}`

/** The system's own words for a failure name files and functions; its code says the same. */
export function inWords(error: Error): string {
  const { code } = error as NodeJS.ErrnoException
  return code === undefined ? error.message : `The connection broke (${code})`
}

/** One buffer and so one write, and one packet where it fits: the copy costs less than a second trip to the kernel. */
export function withEnding(body: Buffer, ending: string): Buffer {
  const whole = Buffer.allocUnsafe(body.length + Buffer.byteLength(ending))
  body.copy(whole, 0)
  whole.write(ending, body.length)
  return whole
}
