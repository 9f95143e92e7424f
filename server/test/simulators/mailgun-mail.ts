/** What Mailgun takes as one call, and what each of its recipients finds in the mailbox. */

/** `body` is sent as JSON, a text as plain text. */
export type Answer = { status: number; body: unknown }

export const fault = (status: number, message: string): Answer => ({ status, body: { message } })
export const forbidden: Answer = { status: 401, body: 'Forbidden' }

type Mail = {
  from: string
  /** The To header as this recipient sees it: all of them, where the call had no recipient variables. */
  to: string[]
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  /** What comes back with events as `user-variables`. */
  variables: Record<string, string>
  options: Record<string, string>
  /** The whole message, of a call to `messages.mime` only. */
  raw: string | null
}

export type Fate =
  | 'delivered'
  | 'bounced'
  | 'complained'
  | 'suppressed'
  | 'deferred'
  | 'blocked'
  | 'rejected'
  | 'opened'
  | 'clicked'
  | 'unsubscribed'

/** One recipient's mail. `id` is that of the call, without brackets; `call` is its number, from 1. */
export type TakenMail = { id: string; call: number; recipient: string; mail: Mail; fate: Fate }

const FATES: ReadonlySet<string> = new Set<Fate>([
  'delivered',
  'bounced',
  'complained',
  'suppressed',
  'deferred',
  'blocked',
  'rejected',
  'opened',
  'clicked',
  'unsubscribed',
])
const isFate = (name: string): name is Fate => FATES.has(name)

/** By the local part, at any domain, with or without a label: `bounced+anything@x.test`. */
export function fateOf(address: string): Fate {
  const name = /^([a-z]+)(?:\+[^@]*)?@/i.exec(address)?.[1]?.toLowerCase() ?? ''
  return isFate(name) ? name : 'delivered'
}

const RECIPIENTS_MAX = 1000
const PARAMETERS_MAX = 16 * 1024
/** A domain of one word is refused, as in the simulator of Resend; that makes a bad recipient easy to come by. */
const ADDRESS = /^[^\s<>@,]+@[^\s<>@,]+\.[^\s<>@,.]+$/

type Variables = Record<string, unknown>
type Recipient = { to: string; address: string }
type Reading = { mails: { recipient: string; mail: Mail }[] } | { refusal: Answer }

/** The mails that a form asks for, or why it is refused: all of it, for a single bad address. */
export async function readForm(
  form: FormData,
  { namesBadAddress, isMime }: { namesBadAddress: boolean; isMime: boolean },
): Promise<Reading> {
  const refuse = (message: string): Reading => ({ refusal: fault(400, message) })
  const texts = [...form].flatMap(([name, value]) => (typeof value === 'string' ? [{ name, value }] : []))
  const one = (name: string) => texts.find((field) => field.name === name)?.value ?? ''
  const below = (prefix: string) =>
    Object.fromEntries(
      texts.filter(({ name }) => name.startsWith(prefix)).map(({ name, value }) => [name.slice(2), value]),
    )
  if (one('from') === '' && !isMime) return refuse("'from' parameter is missing")
  const to = texts.filter(({ name }) => name === 'to').flatMap(({ value }) => splitList(value))
  if (to.length === 0) return refuse("'to' parameter is missing")
  if (to.length > RECIPIENTS_MAX) return refuse(`too many recipients, the maximum is ${RECIPIENTS_MAX}`)
  const recipients = to.map((entry) => ({ to: entry, address: addressIn(entry) }))
  const bad = recipients.find(({ address }) => !ADDRESS.test(address))
  if (bad)
    return refuse(
      namesBadAddress
        ? `to parameter is not a valid address: ${bad.address}`
        : "'to' parameter is not a valid address. please check documentation",
    )
  if (!isMime && one('text') === '' && one('html') === '')
    return refuse("Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified")
  if (parameterBytes(texts) > PARAMETERS_MAX) return refuse('parameters must not exceed 16 KB in total')
  const given = form.has('recipient-variables') ? variablesIn(one('recipient-variables')) : 'none'
  if (given === null) return refuse("'recipient-variables' parameter is not a valid JSON")

  const message = form.get('message')
  const raw = isMime ? (typeof message === 'string' ? message : ((await message?.text()) ?? '')) : null
  const mail: Mail = {
    from: one('from'),
    to,
    subject: one('subject'),
    text: one('text'),
    html: one('html'),
    headers: below('h:'),
    variables: below('v:'),
    options: below('o:'),
    raw,
  }
  return {
    mails: recipients.map((recipient) => ({
      recipient: recipient.address,
      mail: given === 'none' ? mail : filledIn(mail, recipient, given.get(recipient.address.toLowerCase())),
    })),
  }
}

const parameterBytes = (texts: readonly { name: string; value: string }[]): number =>
  texts
    .filter(({ name }) => /^[ohvt]:/.test(name))
    .reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0)

/** By address, whatever its case: two spellings of one address share what was said last. */
function variablesIn(json: string): Map<string, Variables> | null {
  try {
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null
    const isVariables = (value: unknown): value is Variables => typeof value === 'object' && value !== null
    return new Map(
      Object.entries(parsed).flatMap(([address, value]) =>
        isVariables(value) ? [[address.toLowerCase(), value] as const] : [],
      ),
    )
  } catch {
    return null
  }
}

/** Everything is filled in once, from left to right; what was filled in is not looked at again. */
function filledIn(mail: Mail, recipient: Recipient, variables: Variables | undefined): Mail {
  // Seen in practice: nothing at all is filled in for a recipient without variables.
  const fill = (text: string) =>
    variables ? text.replace(/%([\w.:-]+)%/g, (all, name: string) => valueFor(name) ?? all) : text
  function valueFor(name: string): string | undefined {
    // Harsher than need be: an unknown one is left out, so that a letter's own words cannot pass by chance.
    if (name.startsWith('recipient.')) return String(variables?.[name.slice('recipient.'.length)] ?? '')
    if (name === 'recipient') return recipient.to
    if (name.startsWith('recipient_')) return recipient.address
    return name.endsWith('unsubscribe_url') || name.endsWith('unsubscribe_email')
      ? `https://unsubscribe.mailgun.simulated/${name}`
      : undefined
  }
  const fillAll = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]))
  return {
    ...mail,
    from: fill(mail.from),
    to: [fill('%recipient%')],
    subject: fill(mail.subject),
    text: fill(mail.text),
    html: fill(mail.html),
    headers: fillAll(mail.headers),
    variables: fillAll(mail.variables),
    raw: mail.raw === null ? null : fill(mail.raw),
  }
}

/** At the commas that stand in no quoted name. */
const splitList = (list: string): string[] =>
  (list.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? []).map((entry) => entry.trim()).filter(Boolean)

const addressIn = (entry: string): string => /<([^<>]*)>$/.exec(entry)?.[1] ?? entry
