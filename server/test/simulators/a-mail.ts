import type { OutgoingMail } from '../../providers/provider.ts'

/** A mail for tests: say only what matters. */
export const aMail = (parts: Partial<OutgoingMail> = {}): OutgoingMail => ({
  idempotencyKey: 'product-mail/1',
  messageId: '<1@postrider.localhost>',
  from: { name: 'Postrider', address: 'mail@postrider.localhost' },
  to: 'ann@x.test',
  replyTo: null,
  subject: 'Your code',
  text: 'Your code is\n\n    314159\n',
  html: '<p>Your code is <b>314159</b></p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...parts,
})
