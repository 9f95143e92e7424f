import { addressKey, findAddresses, isDesk } from './addresses.ts'
import { classify } from './classify.ts'
import type { ReportedFields } from './delivery-report.ts'
import { type Header, headerOf, readable } from './mail-headers.ts'
import type { OpenedMail } from './mime-parts.ts'
import type { Notice } from './notice-text.ts'
import { writtenTo } from './original-mail.ts'
import { createSubjectCut } from './own-subject.ts'
import type { FindPhrase, FoundPhrase } from './phrases.ts'
import type { ReportedRecipient } from './reading.ts'
import { serverWords } from './server-words.ts'
import type { Signs } from './signs.ts'
import { findNamedRecipients, type NamedRecipient } from './text-recipients.ts'

type Evidence = {
  mail: OpenedMail
  notice: Notice
  /** Of the notice itself. */
  subject: string
  signs: Signs
  reported: ReportedFields[]
  /** The headers of the mail that was returned. */
  returned: Header[]
  findPhrase: FindPhrase
}

/** A report may say that somebody was not reached and leave out who. */
export type JudgedRecipient = Omit<ReportedRecipient, 'address'> & { address: string | null }

/** Judged one by one; of longer reports the beginning is enough, one of our mails has one recipient. */
const RECIPIENTS_MAX = 50
const NOTICE_MAX = 6_000
const WORDS_LINES = 100

export function judgeRecipients(given: Omit<Evidence, 'subject'>): JudgedRecipient[] {
  const cut = createSubjectCut(given.returned)
  const reported = given.reported.map((fields) => ({
    ...fields,
    diagnostic: fields.diagnostic && cut.text(fields.diagnostic),
  }))
  const notice = { ...given.notice, lines: cut.lines(given.notice.lines) }
  const subject = cut.text(readable(headerOf(given.mail.headers, 'subject')))
  return judgeOthersWords({ ...given, reported, notice, subject })
}

/** By what the servers say alone: a campaign that is called "We have moved to Berlin" says nothing of its recipients. */
function judgeOthersWords(evidence: Evidence): JudgedRecipient[] {
  const named = namedInText(evidence)
  const whole = wholeNotice(evidence)
  if (evidence.reported.length > 0)
    return evidence.reported
      .slice(0, RECIPIENTS_MAX)
      .map((fields) => fromFields(evidence, fields, named, whole))
  const failed = evidence.signs.failedRecipients.map(
    (address) =>
      sameAddress(named, address) ?? { address, originalAddress: null, nearby: named[0]?.nearby ?? [] },
  )
  const known = failed.length > 0 ? failed : named.length > 0 ? named : fromReturnedMail(evidence)
  const recipients: SomeRecipient[] = known.length > 0 ? known : somebody(evidence)
  return recipients
    .slice(0, RECIPIENTS_MAX)
    .map((recipient) => fromText(evidence, recipient, whole))
    .filter((judged) => isCredible(evidence, judged))
}

function fromFields(
  evidence: Evidence,
  fields: ReportedFields,
  named: NamedRecipient[],
  whole: WholeNotice,
): JudgedRecipient {
  const address = fields.finalRecipient ?? evidence.signs.failedRecipients[0] ?? named[0]?.address ?? null
  const last = address ?? fromReturnedMail(evidence)[0]?.address ?? null
  const own = sameAddress(named, last) ?? (evidence.reported.length === 1 ? named[0] : undefined)
  const nearby = own?.nearby ?? []
  const diagnostic = fields.diagnostic ?? serverWords(nearby, evidence.findPhrase)
  const { action, status } = fields
  const facts = { action, status, diagnostic, nearby: nearby.join('\n'), around: whole.phrase }
  const verdict = classify(facts, evidence.findPhrase)
  const originalAddress = fields.originalRecipient ?? own?.originalAddress ?? null
  return { address: last, originalAddress, action, diagnostic, ...verdict }
}

type SomeRecipient = Omit<NamedRecipient, 'address'> & { address: string | null }

/**
 * Whoever was written to, where the notice names nobody: whose mail it is about can still be known by where it came. A
 * letter must look like a notice in every way to be taken for one without a name.
 */
function somebody({ signs }: Evidence): SomeRecipient[] {
  const isNotice = signs.isFromDaemon && signs.hasNoReturn && (signs.hasSubject || signs.hasOpening)
  return isNotice ? [{ address: null, originalAddress: null, nearby: [] }] : []
}

function fromText(evidence: Evidence, recipient: SomeRecipient, whole: WholeNotice): JudgedRecipient {
  const { address, originalAddress, nearby } = recipient
  const diagnostic = serverWords(nearby, evidence.findPhrase) ?? whole.words()
  const action = whole.isWarning() ? 'delayed' : 'failed'
  const facts = { action, status: null, diagnostic, nearby: nearby.join('\n'), around: whole.phrase } as const
  const verdict = classify(facts, evidence.findPhrase)
  return { address, originalAddress, action, diagnostic, ...verdict }
}

/** Without a report the text must tell a reason, or give the mail back: a notice that does neither is about something else. */
const isCredible = ({ signs }: Evidence, { cause, status }: JudgedRecipient): boolean =>
  signs.hasReturnedMail ||
  signs.failedRecipients.length > 0 ||
  (cause !== null && cause !== 'unknown') ||
  status !== null

function namedInText({ mail, notice, returned, signs }: Evidence): NamedRecipient[] {
  const to = writtenTo(returned)
  const from = findAddresses(headerOf(mail.headers, 'from')).map(({ address }) => address)
  const named = findNamedRecipients(notice, to, [...from, ...addressee(mail)])
  // Whoever writes to himself gets his own address back; without the returned mail it is a letter to that address.
  if (named.length > 0 || !signs.hasReturnedMail) return named
  return findNamedRecipients(notice, to, from)
}

/** The last resort: whom the returned mail was for, or the address that a return path of its own spells out. */
function fromReturnedMail({ mail, returned }: Evidence): NamedRecipient[] {
  const addresses = writtenTo(returned).filter((address) => !isDesk(address))
  const spelled = addressee(mail).map((address) => /[+=-]([^+=@]{1,64})=([\w.-]{3,255})@/.exec(address))
  const address =
    addresses[0] ??
    spelled.filter((match) => match !== null).map(([, local, domain]) => `${local}@${domain}`)[0]
  return address ? [{ address, originalAddress: null, nearby: [] }] : []
}

const addressee = (mail: OpenedMail): string[] =>
  ['to', 'delivered-to', 'x-original-to', 'x-envelope-to'].flatMap((name) =>
    findAddresses(headerOf(mail.headers, name)).map(({ address }) => address),
  )

const sameAddress = (named: NamedRecipient[], address: string | null): NamedRecipient | undefined =>
  named.find((one) => address !== null && addressKey(one.address) === addressKey(address))

type WholeNotice = { phrase(): FoundPhrase | null; words(): string | null; isWarning(): boolean }

/** What the notice says as a whole, read once however many recipients it has. */
function wholeNotice(evidence: Evidence): WholeNotice {
  const { findPhrase, notice } = evidence
  return {
    phrase: once(() => findPhrase(notice.lines.join('\n').slice(0, NOTICE_MAX))),
    words: once(() => serverWords(notice.lines.slice(0, WORDS_LINES), findPhrase)),
    isWarning: once(() => isWarning(evidence)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const WARNING =
  /warning: (?:message|could not send)|still being (?:re)?tried|not yet been delivered|has been delayed|was delayed|do not need to resend|don't need to resend|will (?:keep|continue|be) (?:trying|retr|to try)|warning message only|warning only|wird weiterhin versucht|noch nicht zugestellt|continuera d'essayer|seguirá intentando|continuerà a/i

/** Only late: the server goes on trying. */
function isWarning({ subject, notice }: Evidence): boolean {
  const beginning = notice.lines.slice(0, 60).join(' ').replace(/\s+/g, ' ').replaceAll('\u2019', "'")
  return WARNING.test(subject) || WARNING.test(beginning)
}
