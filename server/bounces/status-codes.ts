import type { BounceCause } from './reading.ts'

/**
 * RFC 3463 and the registry of enhanced codes, without the class. Only codes that mean one thing in practice; servers
 * use x.x.0 and x.7.1 for everything, those are judged by their words first (`VAGUE`).
 */
const PRECISE = new Map<string, BounceCause>([
  ['1.0', 'no-such-mailbox'],
  ['1.1', 'no-such-mailbox'],
  ['1.2', 'no-such-domain'],
  ['1.3', 'no-such-mailbox'],
  ['1.4', 'no-such-mailbox'],
  ['1.6', 'moved'],
  ['1.7', 'policy'],
  ['1.8', 'policy'],
  ['1.9', 'relaying'],
  ['1.10', 'no-such-mailbox'],
  ['1.20', 'no-such-mailbox'],
  ['2.1', 'disabled'],
  ['2.2', 'full'],
  ['2.3', 'too-large'],
  ['2.4', 'policy'],
  ['3.1', 'temporary'],
  ['3.2', 'temporary'],
  ['3.4', 'too-large'],
  ['4.3', 'network'],
  ['4.4', 'no-such-domain'],
  ['4.6', 'loop'],
  ['4.7', 'expired'],
  ['4.8', 'loop'],
  ['4.14', 'loop'],
  ['4.300', 'expired'],
  ['4.310', 'no-such-domain'],
  ['4.312', 'network'],
  ['4.316', 'expired'],
  ['4.317', 'network'],
  ['5.3', 'policy'],
  ['6.1', 'content'],
  ['6.2', 'content'],
  ['6.3', 'content'],
  ['6.5', 'content'],
  ['6.6', 'content'],
  ['6.7', 'policy'],
  ['7.8', 'authentication'],
  ['7.9', 'authentication'],
  ['7.13', 'disabled'],
  ['7.17', 'moved'],
  ['7.20', 'authentication'],
  ['7.21', 'authentication'],
  ['7.22', 'authentication'],
  ['7.23', 'authentication'],
  ['7.24', 'authentication'],
  ['7.25', 'authentication'],
  ['7.26', 'authentication'],
  ['7.27', 'policy'],
  ['7.28', 'policy'],
  ['7.30', 'authentication'],
  ['7.509', 'authentication'],
  ['7.515', 'authentication'],
  ['7.511', 'blocked'],
  ['7.606', 'blocked'],
  ['7.708', 'blocked'],
  ['7.750', 'blocked'],
])

/** What a code suggests when no word says more: by code, then by subject. */
const VAGUE = new Map<string, BounceCause>([
  ['1', 'no-such-mailbox'],
  ['2', 'temporary'],
  ['3.5', 'loop'],
  ['3', 'temporary'],
  ['4', 'network'],
  ['5', 'unknown'],
  ['6', 'content'],
  ['7', 'policy'],
])

/** RFC 5321 replies, where a server gives nothing else. */
const REPLIES = new Map<string, BounceCause>([
  ['551', 'no-such-mailbox'],
  ['553', 'no-such-mailbox'],
  ['552', 'full'],
  ['452', 'full'],
  ['450', 'temporary'],
  ['451', 'temporary'],
  ['421', 'temporary'],
  ['530', 'authentication'],
  ['535', 'authentication'],
  ['521', 'no-such-domain'],
  ['556', 'no-such-domain'],
])

export const preciseCause = (status: string | null): BounceCause | null =>
  status === null ? null : (PRECISE.get(status.slice(2)) ?? null)

export function vagueCause(status: string | null): BounceCause | null {
  if (status === null) return null
  // x.0.0 says nothing at all.
  return VAGUE.get(status.slice(2)) ?? VAGUE.get(status.slice(2).split('.', 1)[0] ?? '') ?? null
}

export const replyCause = (reply: string | null): BounceCause | null =>
  reply === null ? null : (REPLIES.get(reply) ?? null)

/** Not inside a number of another kind: an IP address, a version, a date. */
const ENHANCED = /(?<![\d.\w])([45]\.\d{1,3}\.\d{1,3})(?![\w]|\.?\d)/g
/** A reply stands at the beginning, or behind a sign or word that announces it. */
const REPLY =
  /(?:^|[:;[('"<>#=]|\b(?:said|error|code|reason|with|returned|response|reply|smtp|status|was))[ \t]{0,4}:?[ \t]{0,4}#?([45][0-5]\d)(?=[ \-#:;,.)\]'"]|$)/gim

export type FoundCodes = { status: string | null; reply: string | null }

/** The most telling code of a text, the first of equals. */
export function findCodes(text: string): FoundCodes {
  let status: string | null = null
  for (const [, code = ''] of text.matchAll(ENHANCED)) {
    if (telling(code) > telling(status)) status = code
    if (telling(status) === TELLING_MAX) break
  }
  const [reply] = text.matchAll(REPLY)
  return { status, reply: reply?.[1] ?? null }
}

const TELLING_MAX = 4

/** How much a code says. x.1.0 speaks of the address, but gateways write it in front of any other code. */
export function telling(status: string | null): number {
  if (status === null) return 0
  if (status.endsWith('.0.0')) return 1
  if (preciseCause(status) === null) return 2
  return status.endsWith('.1.0') ? 3 : TELLING_MAX
}

/** x.1.7 and x.1.8 blame the sender's address, whatever the words beside them say of "address" and "domain". */
export const blamesSender = (status: string | null): boolean => /^[45]\.1\.[78]$/.test(status ?? '')

/** x.6 and x.7 are about the mail and about rules. */
export const refusesMail = (status: string | null): boolean => /^[45]\.[67]\./.test(status ?? '')
