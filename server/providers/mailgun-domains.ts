import { domainToASCII } from 'node:url'
import { z } from 'zod'
import type { HttpAnswer, HttpApi } from './http-api.ts'
import { isAwayStatus, messageIn, waitOf } from './mailgun-answers.ts'
import { chooseDomain, isActive, isSandbox, type ListedDomain } from './mailgun-domain-choice.ts'
import { domainOf } from './provider.ts'

/** Where a sender's mail goes: a domain, at the host of its region. */
export type Place = { api: HttpApi; domain: string }

/** `unfit` is for a person to mend; `away` mends itself. All sentences can be shown. */
export type Finding =
  | { kind: 'found'; place: Place; note: string | null }
  | { kind: 'unfit'; reason: string }
  | { kind: 'away'; reason: string; afterMs: number | null }

const PAGE = 100
/** Five thousand domains; an account with more names its sender's domain before that, or not at all. */
const PAGES_MAX = 50

/**
 * A key says neither its region nor its domain: both are found by asking, at one host after the other. A key that may
 * only send cannot ask; then the sender's own domain is tried by a call that sends nothing.
 */
export async function discover(
  hosts: readonly HttpApi[],
  from: string,
  { signal, now }: { signal: AbortSignal; now: Date },
): Promise<Finding> {
  const sender = senderDomain(from)
  if (sender === '') return { kind: 'unfit', reason: 'The sender has no e-mail address' }
  const listed: (ListedDomain & { api: HttpApi })[] = []
  let away: Finding | null = null
  let mayList = false
  for (const api of hosts) {
    const listing = await list(api, sender, { signal, now })
    if (listing === 'closed') continue
    if ('kind' in listing) {
      away ??= listing
      continue
    }
    mayList = true
    listed.push(...listing.map((domain) => ({ ...domain, api })))
    // Found: the other region need not be asked, nor be up.
    if (listing.some((domain) => isOwn(domain, sender))) break
  }
  const chosen = chooseDomain(listed, sender, { isComplete: away === null })
  // The right one may be where nobody answered.
  if (away && !(chosen && isActive(chosen))) return away
  if (chosen) return findingOf(chosen, sender)
  if (mayList)
    return {
      kind: 'unfit',
      reason: `The key works, but no domain of this Mailgun account fits ${sender}. Add ${sender} at Mailgun and verify it there`,
    }
  return probe(hosts, sender, { signal, now })
}

const isOwn = (domain: ListedDomain, sender: string): boolean =>
  domain.name.toLowerCase() === sender && isActive(domain)

/** In the letters that DNS knows, as Mailgun lists it. */
export const senderDomain = (from: string): string => domainToASCII(domainOf(from)).toLowerCase()

function findingOf(chosen: ListedDomain & { api: HttpApi }, sender: string): Finding {
  const { api } = chosen
  const name = api.words(chosen.name)
  if (chosen.state === 'disabled')
    return {
      kind: 'unfit',
      reason: `Mailgun has disabled the domain ${name}. See why in the Mailgun dashboard, or ask its support`,
    }
  if (!isActive(chosen))
    return {
      kind: 'unfit',
      reason: `The domain ${name} is not verified at Mailgun (it is "${api.words(chosen.state)}"). Set the DNS records that the Mailgun dashboard shows, and have it check them`,
    }
  const place = { api, domain: chosen.name }
  if (isSandbox(chosen))
    return {
      kind: 'found',
      place,
      note: `${name} is a sandbox domain: Mailgun delivers only to the recipients that its dashboard lists as authorised.`,
    }
  if (chosen.name.toLowerCase() === sender) return { kind: 'found', place, note: null }
  return { kind: 'found', place, note: `Mail from ${sender} leaves by the Mailgun domain ${name}.` }
}

const Page = z.object({
  total_count: z.int().min(0).nullish(),
  items: z.array(
    z.object({
      name: z.string().min(1),
      state: z.string().default('active'),
      type: z.string().default('custom'),
    }),
  ),
})

type Asking = { signal: AbortSignal; now: Date }

/** `closed`: this key does not exist here, or may not ask. */
async function list(
  api: HttpApi,
  sender: string,
  { signal, now }: Asking,
): Promise<ListedDomain[] | 'closed' | Extract<Finding, { kind: 'away' }>> {
  const domains: ListedDomain[] = []
  try {
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const answer = await api.ask(`v4/domains?limit=${PAGE}&skip=${domains.length}`, {}, signal)
      if (answer.status === 401 || answer.status === 403) return 'closed'
      const { data } = Page.safeParse(answer.body)
      if (answer.status < 200 || answer.status > 299 || !data) return awayAfter(answer, api, now)
      domains.push(...data.items)
      const { total_count: total, items } = data
      const isLast = total == null ? items.length < PAGE : domains.length >= total
      if (isLast || items.length === 0 || items.some((domain) => isOwn(domain, sender))) break
    }
    return domains
  } catch (error) {
    return { kind: 'away', reason: api.unreachable(error), afterMs: null }
  }
}

const awayAfter = (answer: HttpAnswer, api: HttpApi, now: Date): Extract<Finding, { kind: 'away' }> => ({
  kind: 'away',
  reason:
    answer.status >= 200 && answer.status <= 299
      ? 'Mailgun answered in a way that Postrider does not know'
      : api.answered(answer.status, messageIn(answer)),
  afterMs: waitOf(answer, now),
})

/** An empty form names no sender and no recipient: a key that may send is told so (400), and nothing is sent. */
async function probe(hosts: readonly HttpApi[], sender: string, { signal, now }: Asking): Promise<Finding> {
  let away: Finding | null = null
  let isKnownKey = false
  for (const api of hosts) {
    try {
      const path = `v3/${encodeURIComponent(sender)}/messages`
      const answer = await api.ask(path, { method: 'POST', body: new FormData() }, signal)
      if (answer.status === 400)
        return {
          kind: 'found',
          place: { api, domain: sender },
          note: `This key may only send, so Mailgun did not say whether ${sender} is verified.`,
        }
      if (answer.status === 404) isKnownKey = true
      else if (isAwayStatus(answer.status)) away ??= awayAfter(answer, api, now)
    } catch (error) {
      away ??= { kind: 'away', reason: api.unreachable(error), afterMs: null }
    }
  }
  if (away) return away
  if (isKnownKey)
    return { kind: 'unfit', reason: `Mailgun does not know the domain ${sender}. Add it there and verify it` }
  return {
    kind: 'unfit',
    reason: `Mailgun does not accept this API key. Copy it again from the Mailgun dashboard; a sending key works only for a sender at its own domain (here it would have to be that of ${sender})`,
  }
}
