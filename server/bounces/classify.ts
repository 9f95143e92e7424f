import { CAUSES } from './causes.ts'
import { type FindPhrase, type FoundPhrase, findPhrase } from './phrases.ts'
import type { BounceCause, BounceKind, ReportAction } from './reading.ts'
import {
  blamesSender,
  type FoundCodes,
  findCodes,
  preciseCause,
  refusesMail,
  replyCause,
  telling,
  vagueCause,
} from './status-codes.ts'

/** What is known of one recipient, from the surest to the least sure. */
type Facts = {
  action: ReportAction | null
  /** The `Status` field of a report. */
  status: string | null
  /** The answer of the server that refused. */
  diagnostic: string | null
  /** What the notice says beside it. */
  nearby: string
  /** What it says in all; asked for only where nothing better is known. */
  around(): FoundPhrase | null
}

type Verdict = {
  kind: BounceKind
  status: string | null
  cause: BounceCause | null
  reason: string | null
}

export const REASON_MAX = 500

/** `find` is that of the mail where this is one of several verdicts on it. */
export function classify(facts: Facts, find: FindPhrase = findPhrase): Verdict {
  if (facts.action === 'delivered' || facts.action === 'relayed' || facts.action === 'expanded')
    return { kind: 'none', status: facts.status, cause: null, reason: null }
  const codes = bestCodes(facts)
  const cause = causeOf(facts, codes, find)
  const isPassing = facts.action === 'delayed' || isTransient(codes.status, codes.reply)
  return {
    kind: isPassing ? 'soft' : CAUSES[cause].kind,
    status: codes.status,
    cause,
    reason: reasonOf(cause, facts.diagnostic),
  }
}

/**
 * A server that refused before it heard the address has said nothing about the mailbox, whatever its words are; unless it
 * greets everybody with the word that it takes no mail at all (RFC 7504).
 */
function causeOf(facts: Facts, codes: FoundCodes, find: FindPhrase): BounceCause {
  const cause = toldCause(facts, codes, find)
  const isUnheard = isOfTheMailbox(cause) && saysNearby(BEFORE_THE_ADDRESS, facts)
  return isUnheard && !saysNearby(TAKES_NO_MAIL, facts) ? 'policy' : cause
}

const isOfTheMailbox = (cause: BounceCause): boolean =>
  CAUSES[cause].kind === 'hard' || cause === 'full' || cause === 'unknown'

/** How Postfix, Exim and qmail write down that the connection, the greeting or the sender was refused. */
const BEFORE_THE_ADDRESS =
  /refused to talk to me:|\(in reply to (?:helo|ehlo|lhlo|mail from) command|smtp error from remote mail(?:er| server) after (?:pipelined )?(?:initial connection|helo|ehlo|lhlo|mail from)|but (?:greeting failed|my name was rejected|sender was rejected)/i

/** At the greeting alone: later it may be the sender's domain that is said to take none. */
const TAKES_NO_MAIL =
  /(?:refused to talk to me|after initial connection): ?(?:\d{3}[ -])?.{0,200}(?:host|server|system|domain) does not accept mail/i

/** Postfix tells it only in its text: the report has the answer without the command. */
const saysNearby = (words: RegExp, { diagnostic, nearby }: Facts): boolean =>
  [diagnostic ?? '', nearby].some((text) => words.test(text.replace(/\s+/g, ' ')))

/** A plain word of the server, then a precise code, then hints, then what the notice adds, then vague codes. */
function toldCause(facts: Facts, { status, reply }: FoundCodes, find: FindPhrase): BounceCause {
  if (blamesSender(status)) return 'policy'
  const said = find(facts.diagnostic ?? '')
  if (said && !said.isHint) return said.cause
  const precise = preciseCause(status)
  if (precise) return precise
  if (said) return said.cause
  const beside = find(facts.nearby)
  if (beside && !beside.isHint) return beside.cause
  const around = facts.around()
  const isTelling = around !== null && !around.isHint
  // Said of the mail or of its sender: what a notice says anywhere does not make that a missing mailbox.
  if (isTelling && !(refusesMail(status) && CAUSES[around.cause].kind === 'hard')) return around.cause
  return beside?.cause ?? vagueCause(status) ?? replyCause(reply) ?? around?.cause ?? lateCause(facts)
}

const lateCause = (facts: Facts): BounceCause => (facts.action === 'delayed' ? 'temporary' : 'unknown')

/** The server that refused knows best; the one that reports often translates its code into a vague one. */
function bestCodes(facts: Facts): FoundCodes {
  const said = findCodes(facts.diagnostic ?? '')
  const beside = findCodes(facts.nearby)
  const status = [said.status, facts.status, beside.status].reduce((best, code) =>
    telling(code) > telling(best) ? code : best,
  )
  return { status, reply: said.reply ?? beside.reply }
}

function isTransient(status: string | null, reply: string | null): boolean {
  if (status !== null && !status.endsWith('.0.0')) return status.startsWith('4')
  return (reply ?? status ?? '5').startsWith('4')
}

/** Two languages in one sentence: ours for the user, the server's for whoever helps. */
function reasonOf(cause: BounceCause, diagnostic: string | null): string {
  const words = (diagnostic ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim()
  const { sentence } = CAUSES[cause]
  return words === '' ? sentence : `${sentence}: ${words}`.slice(0, REASON_MAX)
}
