import type { SendMailOptions } from 'nodemailer'
import type { OutgoingMail } from './provider.ts'

/** The message as Nodemailer composes it: addresses as parts, never as text that would be parsed again. */
export const composable = (mail: OutgoingMail, date: Date): SendMailOptions => ({
  messageId: mail.messageId,
  date,
  from: mail.from,
  to: [{ name: '', address: mail.to }],
  ...(mail.replyTo === null ? {} : { replyTo: [{ name: '', address: mail.replyTo }] }),
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { ...mail.headers },
  envelope: { from: mail.from.address, to: [mail.to] },
  // A mail is made of its own text only: no part of it may name a file or an address to be fetched.
  disableFileAccess: true,
  disableUrlAccess: true,
  xMailer: false,
})
