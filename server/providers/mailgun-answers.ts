import { z } from 'zod'
import { type HttpAnswer, type HttpApi, LONGEST_WAIT_MS, retryAfterMs } from './http-api.ts'
import type { Outcome } from './provider.ts'

/** What Mailgun's answers mean for the mails of a call. It takes all of them under one id, or none. */
export type CallAnswer = {
  /** What it means if nothing is to be looked for: for every copy of the call. */
  outcome: Outcome
  /**
   * The call was refused as a whole, for what some of it is; fewer copies may be taken. `recipient`: one address is
   * bad. `size`: all of it together is too much.
   */
  blames: 'recipient' | 'size' | null
  /** Mailgun's own words, unchanged; they may name the bad address. */
  message: string
}

const Accepted = z.object({ id: z.string().regex(/[^<>\s]/) })
const Refused = z.object({ message: z.string() })

type Context = { api: Pick<HttpApi, 'answered'>; domain: string; now: Date }

export function readAnswer(answer: HttpAnswer, { api, domain, now }: Context): CallAnswer {
  const { status } = answer
  const message = messageIn(answer)
  const plain = (outcome: Outcome): CallAnswer => ({ outcome, blames: null, message })
  if (status >= 200 && status <= 299) return plain(acceptanceIn(answer))

  const reason = api.answered(status, message)
  const later = (advice = ''): CallAnswer =>
    plain({
      kind: 'try-later',
      reason: advice === '' ? reason : `${reason}. ${advice}`,
      afterMs: waitOf(answer, now),
      about: 'account',
    })
  if (status === 429 || status === 503) return later()
  if (status >= 500) return plain({ kind: 'unknown', reason })
  // A redirect comes from something between us and Mailgun; 408 means that it did not read the whole call.
  if (status < 400 || status === 405 || status === 408) return later()
  // What the account's owner has to mend: the recipients must not lose their mail by it.
  if (status === 401) return later('Check the API key in the settings')
  if (status === 402) return later('Look at the plan and the payments of the Mailgun account')
  if (status === 403) return later(`Check what the API key may do, and whether Mailgun lets ${domain} send`)
  if (status === 404) return later(`Check that ${domain} still exists at Mailgun`)
  const rejected: Outcome = { kind: 'rejected', reason }
  if (status === 413) return { outcome: rejected, blames: 'size', message }
  if (/is not allowed to send/i.test(message)) return later()
  // A refusal in words that are not Mailgun's: a firewall's page, for example.
  if (!Refused.safeParse(answer.body).success) return later()
  return { outcome: rejected, blames: isAboutRecipient(message) ? 'recipient' : null, message }
}

function acceptanceIn({ status, text, body }: HttpAnswer): Outcome {
  const accepted = Accepted.safeParse(body)
  // Events name the mail without the brackets.
  if (accepted.success) return { kind: 'accepted', id: accepted.data.id.replace(/[<>\s]/g, '') }
  // Its greeting, in answer to a path that means nothing to it.
  if (text.includes('Magnificent API'))
    return {
      kind: 'try-later',
      reason: 'Mailgun does not know this path. Check the address of its API',
      afterMs: null,
      about: 'account',
    }
  return { kind: 'unknown', reason: `Mailgun answered ${status} without an id` }
}

/** As in `to parameter is not a valid address. please check documentation`; not one that ends in "to". */
const isAboutRecipient = (message: string): boolean =>
  /(?<![\w-])to'? parameter is not a valid address/i.test(message)

const PLAIN_TEXT_MAX = 200

/** `{"message": …}`, or plain text like `Forbidden`; a page of HTML says nothing. */
export function messageIn({ body, text }: HttpAnswer): string {
  const refused = Refused.safeParse(body)
  if (refused.success) return refused.data.message
  return text.length <= PLAIN_TEXT_MAX && !/[<{]/.test(text) ? text.trim() : ''
}

/** Mailgun says how long to wait in its message; a proxy would say it in a header. */
export function waitOf(answer: HttpAnswer, now: Date): number | null {
  const seconds = /try again (?:after|in) (\d{1,9}) ?s/i.exec(messageIn(answer))?.[1]
  if (seconds !== undefined) return Math.min(Number(seconds) * 1000, LONGEST_WAIT_MS) || null
  return retryAfterMs(answer.headers.get('retry-after'), now)
}

/** Says nothing about the key or the domain: it is to be asked again later. */
export const isAwayStatus = (status: number): boolean =>
  status < 400 || status === 408 || status === 429 || status >= 500

/** Whose address Mailgun names, if it is exactly one's: an echo of the whole list names nobody. -1 if so. */
export function indexOfNamed(message: string, recipients: readonly { address: string }[]): number {
  const lower = message.toLowerCase()
  const isNamed = ({ address }: { address: string }) => holds(lower, address.toLowerCase())
  const first = recipients.findIndex(isNamed)
  return first === recipients.findLastIndex(isNamed) ? first : -1
}

/** As a word of its own: `ann@x.test` is not named by `joann@x.test`. */
function holds(text: string, address: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text.slice(at + address.length, at + address.length + 2)
    if (!/[\p{L}\p{N}.+_%-]/u.test(before) && !/^(?:[\p{L}\p{N}_%@-]|\.[\p{L}\p{N}])/u.test(after))
      return true
  }
  return false
}
