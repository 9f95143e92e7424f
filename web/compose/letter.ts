/** What is written, apart from whom it goes to. */
export interface Letter {
  senderName: string
  replyTo: string
  subject: string
  body: string
}

/** Only what a letter has: a stored draft carries more, which must not go back to where it came from. */
export const letterOf = ({ senderName, replyTo, subject, body }: Letter): Letter => ({
  senderName,
  replyTo,
  subject,
  body,
})

export const BLANK_LETTER: Letter = { senderName: '', replyTo: '', subject: '', body: '' }

/** What a draft keeps. */
export interface Content extends Letter {
  recipients: string[]
}

/** As the server has it. */
export interface Stored extends Content {
  updatedAt: string
}

export const isSame = (one: Content, other: Content): boolean =>
  one.subject === other.subject &&
  one.body === other.body &&
  one.senderName === other.senderName &&
  one.replyTo === other.replyTo &&
  one.recipients.length === other.recipients.length &&
  one.recipients.every((entry, index) => entry === other.recipients[index])

/** The sender alone is nothing written: it comes from the settings. */
export const isBlank = ({ recipients, subject, body }: Content): boolean =>
  recipients.length === 0 && subject.trim() === '' && body.trim() === ''
