import {
  addressIn,
  BulkBody,
  isAddress,
  mailsOfEntry,
  mailsOfSingle,
  recipientsIn,
  SingleBody,
  type TakenMail,
} from './ses-mail.ts'

/** Which mails Amazon SES takes, and in which words it refuses the others. */

export type Answer = { status: number; body: unknown; type?: string }
export type EntryStatus = { Status: string; Error?: string }

export type Rules = {
  region: string
  /** Addresses and domains, and whether each may send. */
  identities: Readonly<Record<string, boolean>>
  /** Recipients must be verified too. */
  isSandbox: boolean
  maxSendRate: number
  /** Whether the rate is held against the caller. */
  isThrottling: boolean
  /** What an address that is none does: Amazon's documentation knows both. */
  badAddresses: 'refuse-entry' | 'refuse-call'
  now: () => number
}

export const refused = (status: number, type: string, message: string): Answer => ({
  status,
  type,
  body: message === '' ? {} : { message },
})

const ENTRIES_MAX = 50
/** Of a call that brings its template along. */
const BULK_MAX = 1_000_000
const NOBODY: readonly TakenMail[] = []

export function accept(
  path: string,
  body: string,
  rules: Rules,
  results: Readonly<Record<number, EntryStatus>>,
): { answer: Answer; taken: readonly TakenMail[] } {
  return path.endsWith('/outbound-emails') ? acceptOne(body, rules) : acceptMany(body, rules, results)
}

function acceptOne(body: string, rules: Rules): { answer: Answer; taken: readonly TakenMail[] } {
  const refuse = (...words: Parameters<typeof refused>) => ({ answer: refused(...words), taken: NOBODY })
  const mail = SingleBody.safeParse(asJson(body))
  if (!mail.success) return refuse(400, 'BadRequestException', wordsOf(mail.error))
  const people = recipientsIn(mail.data.Destination)
  const isWrong = people.length === 0 || people.length > 50 || !people.every(isAddress)
  if (isWrong) return refuse(400, 'BadRequestException', ILLEGAL)
  const stranger = [mail.data.FromEmailAddress, ...(rules.isSandbox ? people : [])].find(
    (mailbox) => !isVerified(mailbox, rules),
  )
  if (stranger !== undefined) return refuse(400, 'MessageRejected', notVerified(stranger, rules))
  if (!mayPass(people.length, rules))
    return refuse(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.')
  const taken = mailsOfSingle(mail.data)
  return { answer: { status: 200, body: { MessageId: taken[0]?.id } }, taken }
}

function acceptMany(
  body: string,
  rules: Rules,
  results: Readonly<Record<number, EntryStatus>>,
): { answer: Answer; taken: readonly TakenMail[] } {
  const refuse = (...words: Parameters<typeof refused>) => ({ answer: refused(...words), taken: NOBODY })
  if (Buffer.byteLength(body) > BULK_MAX)
    return refuse(400, 'BadRequestException', 'The request is larger than 1 MB.')
  const bulk = BulkBody.safeParse(asJson(body))
  if (!bulk.success) return refuse(400, 'BadRequestException', wordsOf(bulk.error))
  const { BulkEmailEntries: entries, FromEmailAddress: from } = bulk.data
  if (entries.length > ENTRIES_MAX)
    return refuse(400, 'BadRequestException', `The bulk call must have at most ${ENTRIES_MAX} destinations.`)
  if (!isVerified(from, rules)) return refuse(400, 'MessageRejected', notVerified(from, rules))
  const people = entries.map(({ Destination }) => recipientsIn(Destination))
  if (rules.badAddresses === 'refuse-call' && !people.flat().every(isAddress))
    return refuse(400, 'BadRequestException', ILLEGAL)

  const taken: TakenMail[] = []
  const answers = entries.map((entry, index) => {
    const failure = results[index] ?? failureOf(people[index] ?? [], rules)
    if (failure) return failure
    const mails = mailsOfEntry(bulk.data, entry)
    taken.push(...mails)
    return { Status: 'SUCCESS', MessageId: mails[0]?.id }
  })
  return { answer: { status: 200, body: { BulkEmailEntryResults: answers } }, taken }
}

const ILLEGAL = 'Missing final @domain or illegal address'

function failureOf(people: readonly string[], rules: Rules): EntryStatus | null {
  if (people.length === 0 || !people.every(isAddress)) return { Status: 'INVALID_PARAMETER', Error: ILLEGAL }
  const stranger = rules.isSandbox ? people.find((mailbox) => !isVerified(mailbox, rules)) : undefined
  if (stranger !== undefined) return { Status: 'MESSAGE_REJECTED', Error: notVerified(stranger, rules) }
  if (!mayPass(people.length, rules))
    return { Status: 'ACCOUNT_THROTTLED', Error: 'Maximum sending rate exceeded.' }
  return null
}

const notVerified = (mailbox: string, { region }: Rules): string =>
  `Email address is not verified. The following identities failed the check in region ${region.toUpperCase()}: ${addressIn(mailbox)}`

/** By its address, its domain, or a domain above that; the mailbox simulator is open to everybody. */
function isVerified(mailbox: string, { identities }: Rules): boolean {
  const address = addressIn(mailbox).toLowerCase()
  if (identities[address]) return true
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.')
  const domains = labels.map((_, at) => labels.slice(at).join('.'))
  return domains.some((domain) => identities[domain] || domain === 'simulator.amazonses.com')
}

/** By the rules that count: what was sent in the last second. */
const sent = new WeakMap<Rules, number[]>()

function mayPass(count: number, rules: Rules): boolean {
  if (!rules.isThrottling) return true
  const now = rules.now()
  const recent = (sent.get(rules) ?? []).filter((at) => now - at < 1000)
  const isWithin = recent.length + count <= rules.maxSendRate
  if (isWithin) for (let added = 0; added < count; added++) recent.push(now)
  sent.set(rules, recent)
  return isWithin
}

const wordsOf = (error: { issues: { path: PropertyKey[]; message: string }[] }): string =>
  `Invalid value at '${error.issues[0]?.path.map(String).join('.') ?? ''}': ${error.issues[0]?.message ?? ''}`

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
