import { z } from 'zod'
import type { HttpAnswer } from './http-api.ts'
import { domainOf, type Verdict } from './provider.ts'
import { isQuota, isRate, isWell, refusalIn, type Words } from './ses-answers.ts'

/** What Amazon says of an account, and what that means for whoever wants to send with it. */

const Account = z.object({
  SendingEnabled: z.boolean().default(true),
  ProductionAccessEnabled: z.boolean().default(true),
  EnforcementStatus: z.string().default('HEALTHY'),
  SendQuota: z.object({ MaxSendRate: z.number().default(0) }).default({ MaxSendRate: 0 }),
})
type SesAccount = z.infer<typeof Account>

/** Null where the answer is a refusal, or in words that are not Amazon's. */
export function accountIn(answer: HttpAnswer): SesAccount | null {
  const account = isWell(answer) ? Account.safeParse(answer.body) : null
  return account?.success ? account.data : null
}

/** Null where mail would be taken. */
function objectionToAccount({ SendingEnabled, EnforcementStatus }: SesAccount): string | null {
  if (EnforcementStatus === 'SHUTDOWN')
    return 'Amazon has suspended sending for this account. Answer its case in the AWS Support Center'
  if (!SendingEnabled)
    return 'Sending is paused for this Amazon SES account. Switch it on again in the Amazon SES console'
  return null
}

/** What a question that changes nothing was answered: null, or what speaks against sending now. */
export function objectionOf(answer: HttpAnswer, api: Words): string | null {
  const account = accountIn(answer)
  if (account) return objectionToAccount(account)
  const { type, message } = refusalIn(answer)
  // A key that may send and not ask is all we need.
  if (isDenied(answer.status, type)) return null
  return api.answered(answer.status, type.startsWith('InvalidSignature') ? type : message)
}

const isDenied = (status: number, type: string): boolean => status === 403 && /^AccessDenied/.test(type)

type Question = { from: string; region: string; api: Words; ask: (path: string) => Promise<HttpAnswer> }

/** Whether these credentials serve, and whether mail may leave from this address, as far as Amazon tells. */
export async function verdictOf({ from, region, api, ask }: Question): Promise<Verdict> {
  const answer = await ask('v2/email/account')
  const account = accountIn(answer)
  const { type } = refusalIn(answer)
  if (!account && !isDenied(answer.status, type)) return bad(troubleOf(answer, region, api))
  const objection = account && objectionToAccount(account)
  if (objection) return bad(`${objection}.`)
  const sender = await senderIn(from, ask)
  if (sender === 'not-verified')
    return bad(
      `The access key works, but neither ${from} nor ${domainOf(from)} is verified in ${region}. Verify one of them in the Amazon SES console of this region.`,
    )
  return { isGood: true, note: noteOn({ account, sender, from }) }
}

const bad = (error: string): Verdict => ({ isGood: false, error })

function noteOn(known: { account: SesAccount | null; sender: Sender; from: string }): string | null {
  const { account, sender, from } = known
  const notes: string[] = []
  if (account && !account.ProductionAccessEnabled)
    notes.push(
      'This Amazon SES account is in the sandbox: it sends only to verified addresses, 200 mails a day. Ask for production access in the Amazon SES console.',
    )
  if (account?.EnforcementStatus === 'PROBATION')
    notes.push('Amazon has this account under review. Look into the Amazon SES console for the reason.')
  if (!account)
    notes.push(
      'This access key may only send, so Amazon did not say whether the account is in the sandbox. Allow ses:GetAccount to know, and to send at the full rate from the start.',
    )
  if (sender === 'not-told')
    notes.push(
      `Amazon did not say whether ${from} is verified; the key may lack the right to ask (ses:GetEmailIdentity).`,
    )
  return notes.length === 0 ? null : notes.join(' ')
}

function troubleOf(answer: HttpAnswer, region: string, api: Words): string {
  const { status } = answer
  const { type, message } = refusalIn(answer)
  if (/^InvalidSignature|^SignatureDoesNotMatch/.test(type)) {
    if (/expired|not yet current/i.test(message))
      return 'Amazon refuses the signature because the clock of this server is wrong. Set the clock, then try again.'
    return 'The secret access key does not belong to this access key ID. Copy both again, or make a new key in the AWS console.'
  }
  if (/^UnrecognizedClient|^InvalidClientTokenId|^MissingAuthenticationToken|^IncompleteSignature/.test(type))
    return `Amazon does not know this access key ID in ${region}. Copy it again from the AWS console, and check that the region is switched on for the account.`
  if (isRate(status, type, message) || isQuota(type, message) || status >= 500)
    return `${withoutStop(api.answered(status, message))}. Please try again in a moment.`
  if (isWell(answer)) return 'Amazon SES answered in a way that Postrider does not know.'
  return `${withoutStop(api.answered(status, message || type))}. Check the access key and the region.`
}

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, '')

type Sender = 'verified' | 'not-verified' | 'not-told'
const Identity = z.object({ VerifiedForSendingStatus: z.boolean() })

/** The domain, one above it or the address itself: each of them is enough to send. */
async function senderIn(from: string, ask: Question['ask']): Promise<Sender> {
  const labels = domainOf(from).split('.')
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
  let isTold = true
  for (const identity of [domainOf(from), ...domains.slice(1), from]) {
    const answer = await ask(`v2/email/identities/${encodeURIComponent(identity)}`)
    const read = isWell(answer) ? Identity.safeParse(answer.body) : null
    if (read?.success && read.data.VerifiedForSendingStatus) return 'verified'
    // Unknown there is an answer; anything else is none.
    if (answer.status !== 404 && !read?.success) isTold = false
  }
  return isTold ? 'not-verified' : 'not-told'
}
