import type { Copy, Letter } from '../../providers/provider.ts'

/** A letter for tests: say only what matters. */
export const aLetter = (parts: Partial<Letter> = {}): Letter => ({
  from: { name: 'Postrider', address: 'mail@postrider.localhost' },
  replyTo: null,
  subject: 'Your code',
  text: 'Your code is\n\n    314159\n',
  html: '<p>Your code is <b>314159</b></p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...parts,
})

/** One recipient's copy; the recipient may be given by address alone. */
export const aCopy = ({ to = 'ann@x.test', ...parts }: CopyParts = {}): Copy => ({
  to: typeof to === 'string' ? { name: '', address: to } : to,
  messageId: '<1@postrider.localhost>',
  idempotencyKey: 'product-mail/1',
  headers: {},
  ...parts,
})

type CopyParts = Partial<Omit<Copy, 'to'>> & { to?: Copy['to'] | string }
