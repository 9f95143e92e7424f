import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { headerOf, readHeaders } from '../bounces/mail-headers.ts'

type MailIdentity = {
  /** Equal for the same mail, whichever way and however often it comes. */
  identity: Buffer
  /** With brackets; empty where it has none. */
  messageId: string
}

/** Far more than the headers of any honest mail; what stands behind is taken as it is. */
const HEAD_BYTES = 256_000
/** What a blank line needs behind its first sign. */
const LINE_ENDS = 2
/** Hashed at a stretch; nobody else waits longer than a millisecond or two. */
const STRETCH = 1_000_000
/** No database keeps a NUL, and no honest id has one. */
const MESSAGE_ID = /<[^<>\s\p{Cc}]{1,990}>/u

/** The lines that servers and services on the way write above a mail. */
const ON_THE_WAY =
  /^(received|x-received|received-spf|return-path|delivered-to|x-delivered-to|x-original-to|original-recipient|envelope-to|x-envelope-(from|to)|delivery-date|arc-[a-z-]+|(x-)?authentication-results(-original)?|x-(ses|mailgun|sendgrid|sg|resend|spam|virus|amavis|google|gm|ms-exchange|forwarded|rspamd|antivirus)(-[\w-]+)?)\s*:/i

/**
 * Of the whole mail as its author sent it. A Message-ID alone does not do: anybody can write one that was used before, and
 * the second mail must not get lost. The bytes as they came do not either: each server on the way adds its lines, and some
 * end lines in their own manner. A mail that says neither when nor which one it is may be one of many in the same words,
 * from a device that reports something: what comes in another minute is another one.
 */
export async function identify(raw: Buffer, now = new Date()): Promise<MailIdentity> {
  const headEnd = Math.min(blankLine(raw.subarray(0, HEAD_BYTES + LINE_ENDS)), HEAD_BYTES)
  const head = raw.toString('latin1', 0, headEnd).replaceAll('\r', '')
  const hash = createHash('sha256').update(withoutTheWay(head), 'latin1')
  await hashRest(hash, raw, headEnd)
  const { headers } = readHeaders(head)
  const messageId = headerOf(headers, 'message-id')
  if (!messageId && !headerOf(headers, 'date')) hash.update(now.toISOString().slice(0, 16))
  return { identity: hash.digest(), messageId: MESSAGE_ID.exec(messageId)?.[0] ?? '' }
}

const identified = new WeakMap<Buffer, Promise<MailIdentity>>()

/** The same mail may come to a hundred inboxes at once, and be large. */
export function identifyOnce(raw: Buffer): Promise<MailIdentity> {
  const known = identified.get(raw) ?? identify(raw)
  identified.set(raw, known)
  return known
}

function withoutTheWay(head: string): string {
  let isDropped = false
  const kept = head.split('\n').filter((line) => {
    // A line that begins with a blank goes on with the one before.
    if (!/^[ \t]/.test(line)) isDropped = ON_THE_WAY.test(line)
    return !isDropped
  })
  return kept.join('\n')
}

/** Without carriage returns, and without blank lines at the end. */
async function hashRest(hash: Hash, raw: Buffer, start: number): Promise<void> {
  let end = raw.length
  while (end > start && isLineEnd(raw[end - 1])) {
    end -= 1
    if (end % STRETCH === 0) await setImmediate()
  }
  const scratch = Buffer.allocUnsafe(Math.min(STRETCH, raw.length))
  for (let at = start; at < end; at += STRETCH) {
    let length = 0
    const stop = Math.min(at + STRETCH, end)
    for (let place = at; place < stop; place += 1) {
      const byte = raw[place] ?? 0
      if (byte !== 0x0d) scratch[length++] = byte
    }
    hash.update(scratch.subarray(0, length))
    if (stop < end) await setImmediate()
  }
}

const isLineEnd = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d

/** Where the headers end, however their lines do. */
function blankLine(raw: Buffer): number {
  const ends = [raw.indexOf('\n\r\n'), raw.indexOf('\n\n')].filter((at) => at >= 0)
  return ends.length === 0 ? raw.length : Math.min(...ends)
}
