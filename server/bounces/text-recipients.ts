import { addressKey, type FoundAddress, findAddresses, isDesk } from './addresses.ts'
import type { Notice } from './notice-text.ts'

/** An address that the text of a notice names as failed, and the lines that tell of it. */
export type NamedRecipient = { address: string; originalAddress: string | null; nearby: string[] }

type Mention = { address: string; line: number; weight: number }

/** What stands before an address and says that it is the one; what says that it is not. */
const LABEL =
  /(?:recipient|recipients|recipient address|rcpt to|addressed to|undeliverable to|unknown user|unknown host|user unknown|allowed size|unknown recipient|invalid recipient|failed recipient|delivered to|deliver (?:message |mail |your message )?to|delivery to|failed to|empfänger|destinataire|destinatario|destinatário|ontvanger|получатель|宛先|受信者|收件人|수신자|e-?mail address|error|attempts)[ \t]{0,4}[:=]?[ \t<"'([]{0,8}$/i
const NOT_FAILED =
  /(?:\bfrom|sender|return-path|reply-to|message-id|mail from|postmaster|contact|in-reply-to|references|received-from|forward this|helpdesk|assistance|mailto|queue id|by)[ \t]{0,4}[:=]?[ \t<"'([]{0,8}$/i
const ALIAS =
  /(?:expanded from|generated from|original recipient|orig_to|original address|forwarded from|alias)[ \t]{0,4}[:=]?[ \t<"'([]{0,8}$/i
const HEADER_TO = /^[ \t>]{0,20}(?:to|cc|an|à|para|a|aan|кому)[ \t]{0,4}:[^@]{0,200}$/i
const CODE = /(?:^|[^\d.])[45](?:\d\d|\.\d{1,3}\.\d{1,3})(?=[^\d]|$)/
const SENTENCE =
  /message|mail|e-mail|deliver|send|reach|nachricht|mensaje|messaggio|mensagem|bericht|сообщение|письмо|メール|邮件|郵件|메일/i

const NEARBY_LINES = 10
const MENTIONS_MAX = 500

/**
 * Everybody that the notice names as failed, in its order. `writtenTo` are the recipients of the returned mail, which
 * weigh in an address's favour; `notThese` are the sender's own and the server's.
 */
export function findNamedRecipients(
  notice: Notice,
  writtenTo: string[],
  notThese: string[],
): NamedRecipient[] {
  const known = new Set(writtenTo.map(addressKey))
  const excluded = new Set(notThese.map(addressKey))
  const aliases = new Map<string, string>()
  const mentions: Mention[] = []
  notice.lines.forEach((line, index) => {
    if (mentions.length > MENTIONS_MAX) return
    for (const found of findAddresses(line)) {
      const before = line.slice(0, found.start)
      const last = mentions.at(-1)
      if (ALIAS.test(before) && last) aliases.set(addressKey(last.address), found.address)
      else if (!isDesk(found.address) && !excluded.has(addressKey(found.address)))
        mentions.push({
          address: found.address,
          line: index,
          weight: weigh(line, found) + (known.has(addressKey(found.address)) ? 3 : 0),
        })
    }
  })
  return chosen(mentions).map((address) => ({
    address,
    originalAddress: aliases.get(addressKey(address)) ?? null,
    nearby: nearby(notice.lines, mentions, address),
  }))
}

/** How much the place of an address says that it is the failed one. */
function weigh(line: string, found: FoundAddress): number {
  const before = line.slice(0, found.start)
  const after = line.slice(found.end)
  if (NOT_FAILED.test(before)) return 0
  const head = before.replace(/^[\s<"'>*•·\-–[(|]{0,100}(?:\d{1,3}[.)] {0,4})?[<"'([]{0,3}$/, '')
  if (head === '' && /^[\s>"':;,.\])|)…-]{0,100}$/.test(after)) return 10
  // `<a@b> (name)` and the address twice, bare and in brackets.
  if (head === '') return /^[>"')\]]{0,3}(?::|\.\.\.|\s)/.test(after) ? 9 : 6
  if (/rcpt to: ?<? ?$/i.test(before)) return 9
  if (HEADER_TO.test(before)) return 4
  if (LABEL.test(before)) return 8
  if (CODE.test(before) || CODE.test(after)) return 8
  return SENTENCE.test(before) || SENTENCE.test(after) ? 5 : 2
}

/** The surest mentions, and with them others that are nearly as sure: a report of several names all in one way. */
function chosen(mentions: Mention[]): string[] {
  const best = new Map<string, { address: string; weight: number }>()
  for (const { address, weight } of mentions) {
    const known = best.get(addressKey(address))
    if (!known) best.set(addressKey(address), { address, weight })
    else known.weight = Math.max(known.weight, weight)
  }
  const top = Math.max(0, ...[...best.values()].map(({ weight }) => weight))
  if (top < 4) return []
  return [...best.values()]
    .filter(({ weight }) => weight >= Math.max(4, top - 1))
    .map(({ address }) => address)
}

/** From each mention on, until another address is spoken of; every line once. */
function nearby(lines: string[], mentions: Mention[], address: string): string[] {
  const own = mentions.filter((mention) => addressKey(mention.address) === addressKey(address)).slice(0, 4)
  const told = new Set<number>()
  for (const { line } of own) {
    const next = mentions.find(
      (other) => other.line > line && addressKey(other.address) !== addressKey(address),
    )
    const end = Math.min(next?.line ?? lines.length, line + NEARBY_LINES)
    for (let at = line; at < end; at += 1) told.add(at)
  }
  return [...told].map((at) => lines[at] ?? '')
}
