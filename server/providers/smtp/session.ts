import type { Outcome } from '../provider.ts'
import type { Connection } from './connection.ts'
import { type Errand, type Errands, flawFor, mailLine, putBackOnce, rcptLine } from './errand.ts'
import { outcomeOfEnd, outcomeOfReply, type Stage, wordsOf } from './outcomes.ts'
import { ANNOUNCED_MS, createPatience } from './patience.ts'
import type { Reply } from './replies.ts'
import { silence, withEnding } from './wire.ts'

export type SessionOptions = {
  connection: Connection
  errands: Errands
  secrets: readonly string[]
  messagesMax: number
  timeouts: { replyMs: number; dotMs: number; idleMs: number; quitMs: number }
  onIdle(): void
  /** It takes no more mails. The promise is there while it still says goodbye. */
  onGone(farewell: Promise<void> | null): void
}

export type Session = {
  /** Takes a mail if it can use one now. */
  proceed(): void
  /** Ends after the mails that it has. */
  finish(): void
  /** Ends now. */
  leave(reason: string): void
}

/** A body is written in pieces: as long as one is missing the relay cannot have the mail, and a cut is no doubt. */
const PIECE = 64 * 1024
const DATA = 'DATA\r\n'
const DOT = '.\r\n'

/**
 * The mails of one connection, one recipient each. With PIPELINING (RFC 2920) the commands of a mail go in one write,
 * and those of the next one right behind the text of the one before, so that the relay never waits for us.
 */
export function createSession(options: SessionOptions): Session {
  const { connection, errands, secrets, timeouts } = options
  const { wire, capabilities } = connection
  const { pipelining } = capabilities
  const patience = createPatience()
  let messagesLeft = options.messagesMax
  /** The mail whose answers come now, and the one that is announced behind it. */
  let current: Errand | null = null
  let next: Errand | null = null
  let stage: Stage | 'rset' = 'mail'
  /** The current mail was refused, and the answers to its other commands are still to come. */
  let isRefused = false
  /** A refused mail leaves its beginning behind, which RSET clears away. */
  let needsReset = false
  let isFirst = true
  let isGone = false

  wire.listener = { onReply, onSilence, onEnd: leave }

  function proceed(): void {
    if (isGone) return
    if (current === null) begin()
    else if (stage === 'dot' && next === null && mayAnnounce() && patience.waited() < ANNOUNCED_MS / 2) {
      next = take()
      if (next) wire.write(opening(next))
    }
  }

  const mayAnnounce = (): boolean => pipelining && patience.mayAnnounce()

  function begin(): void {
    current = take()
    isRefused = false
    if (current === null) {
      rest()
      return
    }
    stage = needsReset ? 'rset' : 'mail'
    wire.expectWithin(timeouts.replyMs)
    if (!pipelining) wire.write(needsReset ? 'RSET\r\n' : mailLine(current, capabilities))
    else wire.write(needsReset ? `RSET\r\n${opening(current)}` : opening(current))
    needsReset = false
  }

  /** The next mail that this relay can take at all. */
  function take(): Errand | null {
    while (messagesLeft > 0) {
      const errand = errands.take()
      if (errand === null) return null
      const reason = flawFor(errand, capabilities)
      if (reason === null) {
        messagesLeft -= 1
        return errand
      }
      errand.settle({ kind: 'rejected', reason })
    }
    return null
  }

  const opening = (errand: Errand): string => mailLine(errand, capabilities) + rcptLine(errand) + DATA

  function rest(): void {
    if (messagesLeft === 0) sayGoodbye()
    else {
      wire.expectWithin(timeouts.idleMs)
      options.onIdle()
    }
  }

  function onReply(reply: Reply): void {
    // A relay that closes an idle connection says 421 first; whatever else it says here nobody asked for.
    if (current === null) leave(wordsOf(reply, secrets))
    else if (stage === 'rset') afterReset(current, reply)
    else if (isRefused) passOver(reply)
    else {
      const outcome = outcomeOfReply(stage, reply, secrets)
      if (outcome) settle(current, stage, outcome)
      else if (stage === 'mail') enter('rcpt', rcptLine(current))
      else if (stage === 'rcpt') enter('data', DATA)
      else writeBody(current, 0)
    }
  }

  function enter(following: Stage, line: string): void {
    stage = following
    wire.expectWithin(timeouts.replyMs)
    if (!pipelining) wire.write(line)
  }

  function afterReset(errand: Errand, reply: Reply): void {
    if (reply.code < 300) enter('mail', mailLine(errand, capabilities))
    else leave(wordsOf(reply, secrets))
  }

  function settle(errand: Errand, at: Stage, outcome: Outcome): void {
    const isMailsOwn =
      outcome.kind !== 'unknown' && (outcome.kind !== 'try-later' || outcome.about === 'mail')
    if (isMailsOwn || !mayGoAgain(errand)) errand.settle(outcome)
    // The session is of no use any more: it is in disorder, or the rest of a refused text would be read as commands.
    if (!isMailsOwn || at === 'body')
      leave('reason' in outcome ? outcome.reason : 'The relay took a mail out of turn')
    else if (at === 'dot') follow()
    else if (at === 'data' || !pipelining) startOver()
    else {
      isRefused = true
      enter(at === 'mail' ? 'rcpt' : 'data', '')
    }
  }

  function startOver(): void {
    isFirst = false
    needsReset = true
    begin()
  }

  /** The answers to the commands that had left before the refusal came. */
  function passOver(reply: Reply): void {
    // Now a text is awaited for a mail that must not go. Even a lone dot would end it as a mail; a closed connection not.
    if (reply.code === 421 || (stage === 'data' && reply.code < 400)) leave(wordsOf(reply, secrets))
    else if (stage === 'data') startOver()
    else enter('data', '')
  }

  function writeBody(errand: Errand, offset: number): void {
    if (isGone || current !== errand) return
    stage = 'body'
    const { message, isSettled } = errand
    if (isSettled) {
      // Stopped while it had only been announced: the relay expects its text now, and only leaving takes it back.
      leave('Stopped before sending')
    } else if (message.length - offset > PIECE) {
      const end = offset + PIECE
      wire.expectWithin(timeouts.replyMs)
      wire.write(message.subarray(offset, end), () => writeBody(errand, end))
    } else {
      next = mayAnnounce() ? take() : null
      errand.isDotWritten = true
      stage = 'dot'
      patience.dotWritten()
      wire.expectWithin(Math.min(ANNOUNCED_MS, timeouts.dotMs))
      wire.write(withEnding(message.subarray(offset), next ? DOT + opening(next) : DOT))
    }
  }

  /** After the dot the announced mail is the current one, and its answers come next. */
  function follow(): void {
    isFirst = false
    patience.dotAnswered()
    if (patience.isPromiseBroken()) {
      current = null
      leave('The relay took long, and a mail that was announced to it has gone elsewhere')
      return
    }
    current = next
    next = null
    isRefused = false
    if (current) enter('mail', '')
    else begin()
  }

  function onSilence(): void {
    const dotLeft = timeouts.dotMs - patience.waited()
    if (current === null) sayGoodbye()
    else if (stage === 'dot' && dotLeft > 1) {
      takeBackAnnounced()
      wire.expectWithin(dotLeft)
    } else leave(silence(stage === 'dot' ? timeouts.dotMs : timeouts.replyMs))
  }

  function takeBackAnnounced(): void {
    if (next === null) return
    const announced = next
    next = null
    patience.breakPromise()
    errands.putBack(announced)
  }

  /** A connection that has served before may have been closed by the relay in between, which is about no mail. */
  const mayGoAgain = (errand: Errand): boolean =>
    !isFirst && !errand.wasPutBack && (stage === 'mail' || stage === 'rset')

  function leave(reason: string): void {
    if (isGone) return
    isGone = true
    wire.end(reason)
    const [errand, announced] = [current, next]
    current = null
    next = null
    // Announced is not sent: it goes elsewhere, before those that came later.
    if (announced) putBackOnce(errands, announced, reason)
    if (errand && !errand.isSettled) {
      if (mayGoAgain(errand)) putBackOnce(errands, errand, reason)
      else errand.settle(outcomeOfEnd(stage === 'rset' ? 'mail' : stage, reason))
    }
    options.onGone(null)
  }

  function sayGoodbye(): void {
    isGone = true
    options.onGone(wire.quit(timeouts.quitMs))
  }

  return {
    proceed,
    finish() {
      messagesLeft = 0
      if (current === null && !isGone) sayGoodbye()
    },
    leave,
  }
}
