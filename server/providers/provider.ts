export type Mailbox = { name: string; address: string }

/** What all copies of a mail share. It is made once, however many people get it. */
export type Letter = {
  from: Mailbox
  /** Each copy's own where it holds the mark: `name+MARK@domain`. */
  replyTo: string | null
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
  /**
   * Stands in text, HTML, header values and the reply address wherever each copy has its own token: 48 letters, digits, `-` and `_`, as
   * every token has, so that a mail has the same shape for everybody.
   */
  mark?: string
}

/** One recipient's own parts. */
export type Copy = {
  to: Mailbox
  messageId: string
  /** The same on every try, so that a provider or a mailbox can tell a repetition from a second mail. */
  idempotencyKey: string
  headers: Readonly<Record<string, string>>
  /** Takes the place of the letter's mark. */
  token?: string
  /** Where this copy comes back to, where the provider leaves that to us; otherwise to the sender. */
  returnPath?: string
}

/**
 * What a provider said of one copy. `try-later` means that it was certainly not taken; `about` tells whether the next
 * copy would fare the same (`account`: the provider is away, or refuses our credentials) or not (`mail`). `unknown`
 * means that it may or may not have been taken.
 */
export type Outcome =
  | { kind: 'accepted'; id: string }
  | { kind: 'rejected'; reason: string }
  | {
      kind: 'try-later'
      reason: string
      afterMs: number | null
      about: 'mail' | 'account'
      /** Of an account that did not fail before this mail, but in the middle of it: perhaps that is the mail's fault. */
      isAmidMail?: boolean
    }
  /** `isFinal`: asking again would get the same answer. */
  | { kind: 'unknown'; reason: string; isFinal?: boolean }
  /** By the time its turn came the caller no longer wanted it sent. */
  | { kind: 'not-begun' }

/** What a provider says of credentials and a sender; `error` and `note` are sentences that tell what to do. */
export type Verdict = { isGood: true; note: string | null } | { isGood: false; error: string }

export interface Provider {
  readonly name: string
  /** The most copies that one call takes. */
  readonly batchMax: number
  /** Where it is fewer: some accounts may not send so many at once at present, and a long letter goes to fewer. */
  copiesPerCall?(letter: Letter): number
  /** The most calls that may be under way at once. */
  readonly concurrency: number
  /** After so long a call holds up no other one any more; never where the provider's calls all end soon. */
  readonly lateMs?: number
  /** The most calls in a second, where the provider states a number. */
  readonly callsPerSecond: number | null
  /** The most copies in a second; asked again and again, since some providers learn it from the account. */
  copiesPerSecond(): number | null
  /** Equal for all who remember the same calls; another account or another provider is another way. */
  readonly identity: string
  /** Nothing comes after its answer: neither that a mail was delivered, nor that it was not. */
  readonly reportsNothing?: boolean
  /** How long the same call may be repeated without a second mail; 0 where a repetition is a second mail. */
  readonly repeatableMs: number
  /**
   * One outcome for each copy, in the same order. Expected failures are outcomes; only a bug throws. `signal` gives up
   * what is under way; `mayBegin` is asked once more right before a copy leaves, where that may be long after it was
   * handed over.
   */
  send(
    letter: Letter,
    copies: readonly Copy[],
    signal: AbortSignal,
    mayBegin?: () => boolean,
  ): Promise<Outcome[]>
  /** Some that were handed over may not begin any more: they come back at once, not only when their turn has come. */
  recall?(): void
  /** Asks whether the provider would take mail now, without sending any: null, or why not in its own words. */
  check(signal: AbortSignal): Promise<string | null>
  /** Asks, without side effects, whether these credentials serve and whether mail may leave from this address. */
  verify(from: string, signal: AbortSignal): Promise<Verdict>
  /** Lets go of pooled connections. */
  close(): Promise<void>
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/** What tells this copy from all others, in the letters that every provider allows; it comes back with its events. */
export const tagOf = ({ messageId }: Copy): string =>
  messageId
    .replace(/@.*$/, '')
    .replace(/[^\w-]/g, '')
    .slice(0, 256)

/** A text of the letter as this copy has it. */
export const filledIn = (text: string, { mark }: Letter, { token }: Copy): string =>
  mark === undefined || token === undefined ? text : text.replaceAll(mark, token)

export const replyToOf = (letter: Letter, copy: Copy): string | null =>
  letter.replyTo === null ? null : filledIn(letter.replyTo, letter, copy)

/** Where a call has one reply address for all its copies: the only copy's own, or the one that names no copy. */
export function commonReplyTo(letter: Letter, copies: readonly Copy[]): string | null {
  const [first, ...others] = copies
  if (first && others.length === 0) return replyToOf(letter, first)
  return letter.mark === undefined ? letter.replyTo : (letter.replyTo?.replace(`+${letter.mark}`, '') ?? null)
}

/** The letter's headers that are each copy's own because its token stands in them, filled in. */
export function markedHeaders(letter: Letter, copy: Copy): Record<string, string> {
  const { mark } = letter
  if (mark === undefined) return {}
  return Object.fromEntries(
    Object.entries(letter.headers)
      .filter(([, value]) => value.includes(mark))
      .map(([name, value]) => [name, filledIn(value, letter, copy)]),
  )
}

/** The letter's headers that are the same for all. */
export const plainHeaders = ({ headers, mark }: Letter): Letter['headers'] =>
  mark === undefined
    ? headers
    : Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.includes(mark)))
