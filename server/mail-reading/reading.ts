/** What a received mail says, taken apart and cleaned: safe to store, and to show. */
export type ReadMail = {
  /** Brackets included; empty where it has none. */
  messageId: string
  /** The ids that it answers: References, then In-Reply-To; nearest last, at most 50. */
  answeredIds: string[]
  from: { name: string; address: string }
  /** The one mailbox that an answer goes to: Reply-To where it is exactly one, otherwise From; empty for none. */
  answersTo: string
  to: string[]
  cc: string[]
  subject: string
  /** The date that it gives itself. */
  sentAt: Date | null
  text: string | null
  /** Cleaned; pictures of the mail itself are in it, those of others are only named (`data-remote-src`). */
  html: string | null
  hasRemoteImages: boolean
  /** What can be read in its HTML, where that is not `text`: some texts only say that the mail is to be seen elsewhere. */
  htmlWords?: string
  /** The beginning of what its author wrote, in one line. */
  preview: string
  attachments: { name: string; type: string; size: number }[]
  /**
   * `reply`: a machine answers a mail of ours; `list`: a newsletter, a help desk, another mail that is sent by rule; `no`:
   * as far as can be told, a person.
   */
  automatic: 'reply' | 'list' | 'no'
  /**
   * Something of it is in the source alone: files beyond those that are listed, the end of a text that is longer than is
   * shown; or, where time, memory or a limit of its form kept it from being taken apart, its HTML and all its files.
   */
  isPartial?: true
}

export type AttachedFile = { name: string; type: string; bytes: Uint8Array }

/**
 * Takes mails apart in a thread of its own, which is ended when one takes too long. Null is a judgement on the mail; an
 * error says that it was not looked at (closed, or no thread to be had), and that it is worth trying again.
 */
export type MailReader = {
  /**
   * A mail beyond the limits is read plainly: headers and text, neither HTML nor files. Null where not even that is
   * possible. `envelopeFrom` is empty for a mail from nobody.
   */
  read(raw: Uint8Array, envelopeFrom: string): Promise<ReadMail | null>
  /** The file at this place of `attachments`; null where there is none. Refuses with 503 where it takes too long. */
  attachment(raw: Uint8Array, index: number): Promise<AttachedFile | null>
  close(): Promise<void>
}
