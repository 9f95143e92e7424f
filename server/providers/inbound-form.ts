import { type FormPart, readMultipart } from '../platform/multipart.ts'
import { readUrlEncoded } from '../platform/url-encoded.ts'
import { headerOf, type WebhookCall } from './events.ts'
import { asJson } from './json.ts'

/** The fields and files of a form that a provider has posted. */
export type InboundForm = {
  parts: readonly FormPart[]
  /** Its contents have to be decoded, which makes a copy of them. */
  isCoded: boolean
  /** Whether one of these fields holds anything. */
  hasAny(names: readonly string[]): boolean
  has(name: string): boolean
  /** The content of the first field of this name. */
  bytes(name: string): Promise<Buffer | null>
  /** As text, of which a megabyte is enough of any field but the mail; empty where there is none. */
  text(name: string): string
  /** Null also where it comes twice: nobody could tell which of them is meant. */
  only(name: string): string | null
  /** A field that holds JSON; null where it does not. */
  json(name: string): unknown
}

/** Null where it is no form. Both ways of posting are in use: Mailgun takes the short one where there are no files. */
export function readInboundForm(call: WebhookCall): InboundForm | null {
  const type = headerOf(call, 'content-type') ?? ''
  const isShort = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)
  const parts = isShort ? readUrlEncoded(call.body) : readMultipart(type, call.body)
  return parts && formOf(parts, isShort)
}

/** Headers of a mail, all together, are rarely a hundredth of that; reading them takes longer the more there are. */
const TEXT_MAX = 1_000_000

function formOf(parts: readonly FormPart[], isCoded: boolean): InboundForm {
  const all = (name: string) => parts.filter((part) => part.name === name)
  const first = (name: string) => parts.find((part) => part.name === name)
  const text = (name: string) => first(name)?.start(TEXT_MAX).toString('utf8') ?? ''
  return {
    parts,
    isCoded,
    hasAny: (names) => parts.some(({ name, length }) => length > 0 && names.includes(name)),
    has: (name) => first(name) !== undefined,
    bytes: async (name) => (await first(name)?.content()) ?? null,
    text,
    only: (name) => (all(name).length === 1 ? text(name) : null),
    json: (name) => asJson(text(name)),
  }
}
