import { createHash } from 'node:crypto'
import type { MemoryShare } from '../platform/memory-budget.ts'
import { rebuildMail } from './rebuilt-mail.ts'

/** A mail that a provider has received for one of our addresses and brings to us. */
export type ReceivedMail = {
  /** As the server that brought it to the provider named it; empty for a mail from nobody, which only machines send. */
  from: string
  /** Empty where that is not told. */
  to: readonly string[]
  /** What the provider calls it, where it only tells of a mail that has to be fetched; null where the call brings it. */
  keptAs: string | null
  /** The mail as it came. Throws where it cannot be had at the moment; null where it cannot be had at all. */
  source(memory: MemoryShare): Promise<Buffer | null>
  /** Stands for this one mail, where the signature covers only this and not the mail itself; null where it covers all. */
  proof: { token: string } | null
}

/** What a call turned out to be. `forged` is all that does not carry a valid signature, fresh unless told otherwise. */
export type InboundReading =
  | { kind: 'mail'; mail: ReceivedMail }
  | { kind: 'forged'; why: string }
  /** Signed, but in a time so far away that the mail is asked for again; `why` is for the log. */
  | { kind: 'untimely'; why: string }
  /** Genuine, and without a mail for us; `why` is for the log, null where nobody needs to know. */
  | { kind: 'nothing'; why: string | null }
  /** Genuine, and tells of a mail that it does not bring, since the provider is set so. */
  | { kind: 'not-brought'; why: string }
  /** Amazon SNS asks whether this address wants its messages: the answer is a visit to this URL. */
  | { kind: 'confirmation'; url: URL; topic: string }

export const forged = (why: string): InboundReading => ({ kind: 'forged', why })

/** Where it is not told who has sent a mail. */
export const UNKNOWN_SENDER = 'unknown'

/** Of a text such as `Ann <ann@x.test>, bob@x.test`; good enough for what is only told in place of an envelope. */
export const addressesIn = (text: string): string[] =>
  text
    .slice(0, 50_000)
    .split(/[\s<>,;:"()]+/)
    .filter((word) => /^.+@./.test(word))
    .slice(0, 100)

/** Proven to be from the provider, but in no form that we know: it is kept as it came, and nothing is lost. */
export const unreadable = (vendor: string, body: Buffer): Promise<Buffer> =>
  rebuildMail({
    headers: [
      ['Subject', `An email from ${vendor} that could not be read`],
      // The same for the same bytes: whenever they come again, it is no other mail.
      ['Message-ID', `<${createHash('sha256').update(body).digest('hex')}@unreadable.postrider>`],
    ],
    bodies: [
      {
        type: 'text/plain',
        charset: 'utf-8',
        content: Buffer.from(
          `${vendor} handed over an email in a form that Postrider does not know. What came is attached.\r\n`,
        ),
      },
    ],
    attachments: [{ name: 'received.bin', type: null, contentId: null, content: body }],
  })
