import { addressKey, firstAddress } from './addresses.ts'
import type { ReportAction } from './reading.ts'

/** What a `message/delivery-status` part (RFC 3464) says of one recipient. */
export type ReportedFields = {
  finalRecipient: string | null
  originalRecipient: string | null
  action: ReportAction | null
  status: string | null
  /** Without the type in front (`smtp;`). */
  diagnostic: string | null
}

/** A report for a list of thousands is real; what a hostile one repeats beyond this is not read. */
const LINES_MAX = 20_000
const LINE_MAX = 2_000
const VALUE_MAX = 4_000
const RECIPIENTS_MAX = 1_000

/** Only names of the standard and `x-` begin a field: `550-5.1.1:` in the middle of a diagnostic does not. */
const FIELD =
  /^[ >]{0,4}(original-recipient|final-recipient|final-rcpt|action|status|remote-mta|diagnostic-code|last-attempt-date|final-log-id|will-retry-until|reporting-mta|received-from-mta|arrival-date|original-envelope-id|dsn-gateway|failure-reason|remote-recipient|x-[\w-]{1,60}|smtp-remote-recipient|localized-diagnostic)[ \t]{0,10}:(.{0,2000})$/i
/** These belong to one recipient; a second one of the same name begins the next. */
const OF_A_RECIPIENT = new Set([
  'original-recipient',
  'final-recipient',
  'action',
  'status',
  'diagnostic-code',
])

type Fields = Map<string, string>

export function readDeliveryReport(text: string): ReportedFields[] {
  return groups(text).map(fieldsOf).filter(isTelling).slice(0, RECIPIENTS_MAX)
}

/** Fields of a report inside a text, as servers send them that call everything `text/plain`. */
export function looksLikeDeliveryReport(text: string): boolean {
  return (
    /^[ >]{0,4}final-recipient[ \t]{0,10}:/im.test(text) &&
    /^[ >]{0,4}(?:action|status)[ \t]{0,10}:/im.test(text)
  )
}

/**
 * Groups by what the fields mean, not by blank lines: servers leave those out, and put them between any two fields.
 * A group ends where a field comes that it already has.
 */
function groups(text: string): Fields[] {
  const all: Fields[] = []
  let current: Fields = new Map()
  let last = ''
  let isAfterBlank = false
  for (const line of text.split('\n', LINES_MAX)) {
    const field = FIELD.exec(line.slice(0, LINE_MAX))
    if (!field) {
      if (line.trim() === '') isAfterBlank = true
      else if (last && !isAfterBlank) append(current, last, line)
      continue
    }
    const name = alias((field[1] ?? '').toLowerCase())
    if (beginsAnother(current, name, isAfterBlank)) {
      all.push(current)
      current = new Map()
    }
    if (!current.has(name)) current.set(name, (field[2] ?? '').trim())
    last = name
    isAfterBlank = false
  }
  all.push(current)
  return all
}

function beginsAnother(current: Fields, name: string, isAfterBlank: boolean): boolean {
  if (!OF_A_RECIPIENT.has(name)) return false
  const isComplete = current.has('final-recipient') && (current.has('action') || current.has('status'))
  return current.has(name) || (isComplete && isAfterBlank && name.endsWith('recipient'))
}

const alias = (name: string): string =>
  name === 'final-rcpt' ? 'final-recipient' : name === 'failure-reason' ? 'diagnostic-code' : name

function append(fields: Fields, name: string, line: string): void {
  const value = fields.get(name) ?? ''
  if (value.length < VALUE_MAX) fields.set(name, `${value} ${line.trim().slice(0, LINE_MAX)}`)
}

function fieldsOf(fields: Fields): ReportedFields {
  const final = addressOf(fields.get('final-recipient'))
  const original = addressOf(fields.get('original-recipient'))
  const actual = addressOf(fields.get('x-actual-recipient'))
  const recipient = final ?? actual ?? original ?? addressOf(fields.get('remote-recipient'))
  return {
    finalRecipient: recipient,
    originalRecipient:
      original && recipient && addressKey(original) !== addressKey(recipient) ? original : null,
    action: actionOf(fields.get('action')),
    status: /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(fields.get('status') ?? '')?.[1] ?? null,
    diagnostic: diagnosticOf(fields),
  }
}

const isTelling = (fields: ReportedFields): boolean =>
  (fields.action !== null || fields.status !== null || fields.diagnostic !== null) &&
  (fields.finalRecipient !== null || fields.status !== null)

/** `rfc822; a@b`, `RFC822;<a@b>`, `utf-8;…`, or without any type. */
function addressOf(value: string | undefined): string | null {
  if (!value) return null
  const text = value.replace(/^[\w. -]{1,30};/, '').trim()
  // A program or a file of the local system: no mailbox, although its arguments may look like one.
  if (/^["']?[|/]/.test(text)) return null
  return firstAddress(text) ?? (/^[^\s@<>"]{1,64}@[^\s@<>"/]{1,255}$/u.test(text) ? text : null)
}

function actionOf(value: string | undefined): ReportAction | null {
  const word = /[a-z-]{3,20}/.exec((value ?? '').toLowerCase())?.[0] ?? ''
  return ACTIONS.get(word) ?? null
}

const ACTIONS = new Map<string, ReportAction>([
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['fail', 'failed'],
  ['expired', 'failed'],
  ['bounced', 'failed'],
  ['undeliverable', 'failed'],
  ['delayed', 'delayed'],
  ['deferred', 'delayed'],
  ['delay', 'delayed'],
  ['delivered', 'delivered'],
  ['relayed', 'relayed'],
  ['expanded', 'expanded'],
])

function diagnosticOf(fields: Fields): string | null {
  const text = (fields.get('diagnostic-code') ?? '').replace(/^[\w.-]{1,30};/, '').trim()
  // The comment in `Status: 5.1.1 (user unknown)` is all that some servers say.
  const comment = /\(([^()]{3,500})\)/.exec(fields.get('status') ?? '')?.[1]
  return text || comment || fields.get('localized-diagnostic')?.trim() || null
}
