import { z } from 'zod'
import type { HttpAnswer, HttpApi } from './http-api.ts'
import { domainOf, type Verdict } from './provider.ts'
import { complaintsIn, howToVerify, sentenceOf, type Words } from './sendgrid-answers.ts'

/** What SendGrid says of a key and a sender, asked without sending anything. */

const Scopes = z.object({ scopes: z.array(z.string()) })

/** What the key may do (`GET /v3/scopes`): null, or what speaks against sending now. */
export function objectionOf({ status, body }: HttpAnswer, api: Words): string | null {
  if (!isGood(status)) return api.answered(status, sentenceOf(complaintsIn(body)))
  const told = Scopes.safeParse(body)
  if (!told.success) return STRANGE
  return told.data.scopes.includes('mail.send') ? null : 'This SendGrid key may not send mail'
}

const STRANGE = 'SendGrid answered in a way that Postrider does not know.'
const WRONG_KEY =
  'SendGrid does not know this API key. Copy it again from SendGrid, under Settings → API Keys; it is shown there only once.'
const NO_RIGHT_TO_SEND =
  'SendGrid knows this API key, but it may not send mail. Give it the permission "Mail Send" at SendGrid, under Settings → API Keys.'

const isGood = (status: number): boolean => status >= 200 && status <= 299

/** Null when the key serves. Too many questions, or an outage, are not the key's fault and are not called so. */
function errorOfKey(answer: HttpAnswer, api: Words): string | null {
  const { status, body } = answer
  if (status === 401) return WRONG_KEY
  if (status === 403)
    return `${api.answered(status, sentenceOf(complaintsIn(body)))}. The key may have too few permissions, or the account may allow only certain IP addresses.`
  if (!isGood(status))
    return `${api.answered(status, sentenceOf(complaintsIn(body)))}. Please try again in a moment.`
  const told = Scopes.safeParse(body)
  if (!told.success) return STRANGE
  return told.data.scopes.includes('mail.send') ? null : NO_RIGHT_TO_SEND
}

/** `untold`: the key may not ask, or the answer does not settle it. */
type Standing = 'verified' | 'pending' | 'absent' | 'untold'

/** A sender that is not among so many may be on a further page. */
const PAGE = 200

const Senders = z.object({ results: z.array(z.object({ from_email: z.string(), verified: z.boolean() })) })
const Domains = z.array(z.object({ domain: z.string(), valid: z.boolean() }))

function standingOfAddress(body: unknown, from: string): Standing {
  const told = Senders.safeParse(body)
  if (!told.success) return 'untold'
  const { results } = told.data
  const found = results.filter(({ from_email }) => isSame(from_email, from))
  if (found.length === 0) return results.length < PAGE ? 'absent' : 'untold'
  return found.some(({ verified }) => verified) ? 'verified' : 'pending'
}

function standingOfDomain(body: unknown, domain: string): Standing {
  const told = Domains.safeParse(body)
  if (!told.success) return 'untold'
  const found = told.data.filter((one) => isSame(one.domain, domain))
  if (found.some(({ valid }) => valid)) return 'verified'
  // Whether a domain speaks for those below it, SendGrid does not say.
  const isBelow = told.data.some(
    ({ domain: other, valid }) => valid && isSame(`.${other}`, domain.slice(-other.length - 1)),
  )
  if (isBelow || (found.length === 0 && told.data.length >= PAGE)) return 'untold'
  return found.length > 0 ? 'pending' : 'absent'
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

export async function verdictOn(
  from: string,
  ask: (path: string) => Promise<HttpAnswer>,
  api: Pick<HttpApi, 'words' | 'answered' | 'undecided'>,
): Promise<Verdict> {
  try {
    const error = errorOfKey(await ask('v3/scopes'), api)
    if (error !== null) return { isGood: false, error }
  } catch (error) {
    return api.undecided(error)
  }
  // A key that may only send is all we need, and whatever goes wrong here says nothing against it.
  const bodyOf = async (path: string): Promise<unknown> => {
    const answer = await ask(path).catch(() => null)
    return answer && isGood(answer.status) ? answer.body : null
  }
  const [senders, domains] = await Promise.all([
    bodyOf(`v3/verified_senders?limit=${PAGE}`),
    bodyOf(`v3/whitelabel/domains?limit=${PAGE}`),
  ])
  return verdictOnSender(from, standingOfAddress(senders, from), standingOfDomain(domains, domainOf(from)))
}

/** Either the address or its whole domain has to be verified. */
function verdictOnSender(from: string, address: Standing, domain: Standing): Verdict {
  if (address === 'verified' || domain === 'verified') return { isGood: true, note: null }
  if (address === 'untold' || domain === 'untold')
    return {
      isGood: true,
      note: `The key works. SendGrid did not say whether it sends from ${from}: make sure that this address or its domain is verified there, under Settings → Sender Authentication.`,
    }
  if (address === 'pending')
    return {
      isGood: false,
      error: `The key works, but ${from} still has to be confirmed: follow the link in the mail that SendGrid sent to this address.`,
    }
  if (domain === 'pending')
    return {
      isGood: false,
      error: `The key works, but SendGrid has not found the DNS records of ${domainOf(from)} yet. Finish its verification there, under Settings → Sender Authentication.`,
    }
  return { isGood: false, error: `The key works, but ${howToVerify(from)}` }
}
