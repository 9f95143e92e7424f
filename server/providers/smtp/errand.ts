import type { Outcome } from '../provider.ts'
import type { Capabilities } from './capabilities.ts'
import { accountLater } from './outcomes.ts'

/** One mail on its way: what to say to the relay, and what became of it so far. */
export type Errand = {
  /** Bare addresses, checked: they go between the angle brackets as they are. */
  readonly from: string
  readonly to: string
  /** Whole, with CRLF, dots doubled, without the final dot. */
  readonly message: Buffer
  readonly needs: { readonly eightBit: boolean; readonly smtpUtf8: boolean }
  /** Whether it is still wanted, now that its turn has come. */
  readonly mayBegin: () => boolean
  /** The first outcome counts: a mail that was stopped stays so, whatever the relay says later. */
  settle(outcome: Outcome): void
  /** For what nobody expected. */
  fail(error: unknown): void
  isSettled: boolean
  /** From here on only a reply can tell whether the mail was taken. */
  isDotWritten: boolean
  /** It has been given to a second connection already, because the first was gone before it said a word about it. */
  wasPutBack: boolean
}

/** Where the mails of a session come from and go back to. */
export type Errands = {
  take(): Errand | null
  /** For another connection: this one was gone before it said a word about the mail. */
  putBack(errand: Errand): void
}

export type ErrandParts = Pick<Errand, 'from' | 'to' | 'message' | 'needs' | 'mayBegin'>

export function createErrand(
  parts: ErrandParts,
  onSettled: (outcome: Outcome) => void,
  onFailed: (error: unknown) => void,
): Errand {
  const errand: Errand = {
    from: parts.from,
    to: parts.to,
    message: parts.message,
    needs: parts.needs,
    mayBegin: parts.mayBegin,
    isSettled: false,
    isDotWritten: false,
    wasPutBack: false,
    settle(outcome) {
      if (errand.isSettled) return
      errand.isSettled = true
      onSettled(outcome)
    },
    fail(error) {
      if (errand.isSettled) return
      errand.isSettled = true
      onFailed(error)
    },
  }
  return errand
}

/** To another connection, but to no third one. */
export function putBackOnce(errands: Errands, errand: Errand, reason: string): void {
  if (errand.wasPutBack) errand.settle(accountLater(reason))
  else {
    errand.wasPutBack = true
    errands.putBack(errand)
  }
}

/** Why this relay would not take this mail, or null. */
export function flawFor({ message, needs }: Errand, { sizeMax, smtpUtf8 }: Capabilities): string | null {
  if (sizeMax !== null && message.length > sizeMax)
    return `The mail has ${message.length} bytes, and the relay takes at most ${sizeMax}`
  if (needs.smtpUtf8 && !smtpUtf8)
    return 'The address has letters beyond ASCII before the @, and the relay cannot take such addresses (SMTPUTF8)'
  return null
}

export function mailLine({ from, message, needs }: Errand, offered: Capabilities): string {
  const size = offered.size ? ` SIZE=${message.length}` : ''
  const body = needs.eightBit && offered.eightBit ? ' BODY=8BITMIME' : ''
  return `MAIL FROM:<${from}>${size}${body}${needs.smtpUtf8 ? ' SMTPUTF8' : ''}\r\n`
}

export const rcptLine = ({ to }: Errand): string => `RCPT TO:<${to}>\r\n`
