import { z } from 'zod'
import type { HttpAnswer, HttpApi } from './http-api.ts'
import type { Outcome } from './provider.ts'

/** What Amazon's answers mean for the mails of a call. */

export type Words = Pick<HttpApi, 'words' | 'answered'>
type Sender = { api: Words; from: string }

const Result = z.object({
  Status: z.string(),
  MessageId: z.string().nullish(),
  Error: z.string().nullish(),
})
const Results = z.object({ BulkEmailEntryResults: z.array(Result) })
const Taken = z.object({ MessageId: z.string().min(1) })

/** The limit is counted by the second. */
const THROTTLED_MS = 1_000
/** The quota is that of the last 24 hours, so that a little of it comes back all the time. */
const QUOTA_MS = 3_600_000

/** `isOfCall`: the call was turned away as a whole, and nobody got anything by it. */
export type Reading = { outcomes: Outcome[]; isOfCall: boolean }

/** The answer to a call that carries a letter to `count` recipients. */
export function readBulkAnswer(answer: HttpAnswer, count: number, sender: Sender): Reading {
  if (!isWell(answer)) return refusedCall(answer, count, sender)
  const results = Results.safeParse(answer.body)
  // The results are told apart by their places alone: with one too few or too many, nobody knows whose they are.
  if (results.success && results.data.BulkEmailEntryResults.length === count) {
    const outcomes = results.data.BulkEmailEntryResults.map((result) => outcomeOfEntry(result, sender))
    return { outcomes, isOfCall: false }
  }
  const reason = `Amazon SES answered ${answer.status} with another number of mails`
  return { outcomes: Array.from({ length: count }, () => ({ kind: 'unknown', reason })), isOfCall: false }
}

/** The answer to a call that carries a letter to one. */
export function readSingleAnswer(answer: HttpAnswer, sender: Sender): Reading {
  if (!isWell(answer)) return refusedCall(answer, 1, sender)
  const taken = Taken.safeParse(answer.body)
  const outcome: Outcome = taken.success
    ? { kind: 'accepted', id: taken.data.MessageId }
    : { kind: 'unknown', reason: `Amazon SES answered ${answer.status} without an id` }
  return { outcomes: [outcome], isOfCall: false }
}

/** Amazon wants fewer mails in a second. */
export const isThrottled = (outcome: Outcome): boolean =>
  outcome.kind === 'try-later' && outcome.about === 'account' && outcome.afterMs === THROTTLED_MS

export const isWell = ({ status }: HttpAnswer): boolean => status >= 200 && status <= 299

/** What a person can do about a refusal that concerns the account, by Amazon's name for it. */
const REMEDIES: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        'Check the access key ID, and whether the region is switched on for the account',
        ['UnrecognizedClientException', 'InvalidClientTokenId'],
      ],
      [
        'Check the secret access key, and the clock of this server',
        ['InvalidSignatureException', 'SignatureDoesNotMatch'],
      ],
      [
        'Give this access key the right to send (ses:SendEmail, ses:SendBulkEmail)',
        ['AccessDeniedException', 'AccessDenied'],
      ],
      [
        'Mend the MX record of the MAIL FROM domain',
        ['MailFromDomainNotVerifiedException', 'MAIL_FROM_DOMAIN_NOT_VERIFIED'],
      ],
      [
        'Amazon has suspended this account: answer its case in the AWS Support Center',
        ['AccountSuspendedException', 'ACCOUNT_SUSPENDED'],
      ],
      [
        'Sending is paused: switch it on again in the Amazon SES console',
        ['SendingPausedException', 'ACCOUNT_SENDING_PAUSED'],
      ],
      [
        'Sending is paused in the configuration set of the sending address',
        ['CONFIGURATION_SET_SENDING_PAUSED'],
      ],
      ['The sending address names a configuration set that does not exist', ['CONFIGURATION_SET_NOT_FOUND']],
      ['Amazon SES looks for a stored template, although the mail brings its own', ['TEMPLATE_NOT_FOUND']],
      [
        'The configuration set names a pool of IP addresses that does not exist',
        ['INVALID_SENDING_POOL_NAME'],
      ],
    ] as const
  ).flatMap(([remedy, names]) => names.map((name) => [name, remedy] as const)),
)
const NOT_VERIFIED = 'Verify the sending address, or its domain, in the Amazon SES console of this region'

/** Amazon's words and what to do; they may be long, and end in a full stop or not. */
const withRemedy = (words: string, remedy: string | undefined): string =>
  remedy === undefined ? words : `${words.replace(/\.$/, '')}. ${remedy}`

const later = (reason: string, about: 'mail' | 'account', afterMs: number | null = null): Outcome => ({
  kind: 'try-later',
  reason,
  afterMs,
  about,
})

function outcomeOfEntry({ Status: status, MessageId, Error: error }: z.infer<typeof Result>, sender: Sender) {
  const { api } = sender
  if (status === 'SUCCESS')
    return MessageId
      ? ({ kind: 'accepted', id: MessageId } as const)
      : ({ kind: 'unknown', reason: 'Amazon SES gave no id' } as const)
  const reason = api.words(`Amazon SES refused it: ${error || status}`)
  // What stands in the table is the account's owner's to mend; the recipients must not lose their mail by it.
  const remedy = REMEDIES.get(status)
  if (remedy !== undefined) return later(withRemedy(reason, remedy), 'account')
  switch (status) {
    case 'MESSAGE_REJECTED':
    case 'INVALID_PARAMETER':
      if (isAboutSender(error ?? '', sender.from)) return later(withRemedy(reason, NOT_VERIFIED), 'account')
      return { kind: 'rejected', reason } as const
    case 'ACCOUNT_THROTTLED':
      return later(reason, 'account', THROTTLED_MS)
    case 'ACCOUNT_DAILY_QUOTA_EXCEEDED':
      return later(reason, 'account', QUOTA_MS)
    case 'TRANSIENT_FAILURE':
    // "Failed" names no reason. It says that this mail was not taken, and not that it never will be: so it is tried
    // again like one that is refused for now, and given up after the same time.
    case 'FAILED':
      return later(reason, 'mail')
    default:
      // A word that we do not know may mean anything.
      return { kind: 'unknown', reason } as const
  }
}

function refusedCall(answer: HttpAnswer, count: number, sender: Sender): Reading {
  const outcome = outcomeOfRefusal(answer, sender)
  return { outcomes: Array.from({ length: count }, () => outcome), isOfCall: true }
}

function outcomeOfRefusal(answer: HttpAnswer, { api, from }: Sender): Outcome {
  const { status } = answer
  const { type, message } = refusalIn(answer)
  const reason = withRemedy(api.answered(status, SECRETIVE.has(type) ? type : message), REMEDIES.get(type))
  if (isQuota(type, message)) return later(reason, 'account', QUOTA_MS)
  if (isRate(status, type, message)) return later(reason, 'account', THROTTLED_MS)
  if (status === 503) return later(reason, 'account')
  if (status >= 500) return { kind: 'unknown', reason }
  // A redirect comes from something between us and Amazon, a timeout (408) means that it did not read the whole call.
  if (status < 400 || status === 408) return later(reason, 'account')
  if (REMEDIES.has(type) || status === 401 || status === 403 || status === 404 || status === 405)
    return later(reason, 'account')
  if (isAboutSender(message, from)) return later(withRemedy(reason, NOT_VERIFIED), 'account')
  // Nor may anyone lose a mail by a refusal in words that are not Amazon's. Too long is too long, though.
  if (type === '' && message === '' && status !== 413) return later(reason, 'account')
  // Of names that are not in the table those about a call that was badly signed or badly timed remain.
  if (/signature|token|expired|credential/i.test(type)) return later(reason, 'account')
  return { kind: 'rejected', reason }
}

/** With these Amazon repeats a page of what it has computed; their name says as much. */
const SECRETIVE: ReadonlySet<string> = new Set(['InvalidSignatureException', 'SignatureDoesNotMatch'])

export const isQuota = (type: string, message: string): boolean =>
  type === 'LimitExceededException' || /daily message quota exceeded/i.test(message)

export const isRate = (status: number, type: string, message: string): boolean =>
  status === 429 ||
  /^(TooManyRequests|Throttling)/.test(type) ||
  /maximum sending rate exceeded|rate exceeded/i.test(message)

/**
 * Whether the address that sends is not verified: it is named among those that failed, or nobody is. In the sandbox the
 * same words name recipients, and then they are about those.
 */
const isAboutSender = (message: string, from: string): boolean =>
  /not verified/i.test(message) &&
  (message.toLowerCase().includes(from.toLowerCase()) || !/\S@\S/.test(message))

const Refusal = z.object({
  message: z.string().optional(),
  Message: z.string().optional(),
  __type: z.string().optional(),
})

/** `BadRequestException:http://…` and `com.amazon#BadRequestException` are both BadRequestException. */
export function refusalIn({ headers, body }: HttpAnswer): { type: string; message: string } {
  const read = Refusal.safeParse(body)
  const said = read.success ? read.data : {}
  const type = headers.get('x-amzn-errortype') ?? said.__type ?? ''
  return { type: type.replace(/:.*$/s, '').replace(/^.*#/s, ''), message: said.message ?? said.Message ?? '' }
}
