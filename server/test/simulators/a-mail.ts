import type { Copy, Letter, Outcome, Provider } from '../../providers/provider.ts'

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

/** A letter and a copy in which every part says something, and the names have to be quoted. */
export const aFullLetter = (parts: Partial<Letter> = {}): Letter =>
  aLetter({
    from: { name: 'Ann "A" O\'Hara, Ltd.', address: 'mail@postrider.localhost' },
    replyTo: 'ann@corp.test',
    ...parts,
  })
export const aFullCopy = (parts: CopyParts = {}): Copy =>
  aCopy({
    to: { name: 'Bob, B.', address: 'bob@x.test' },
    messageId: '<0192ab-c_d.+@postrider.localhost>',
    headers: { 'X-Own': '1' },
    ...parts,
  })

/** Copies that can be told apart, from p0@x.test on. */
export const aGroup = (size: number, change: (n: number) => CopyParts = () => ({})): Copy[] =>
  Array.from({ length: size }, (_, n) =>
    aCopy({ to: `p${n}@x.test`, idempotencyKey: `k${n}`, messageId: `<m${n}@x.test>`, ...change(n) }),
  )

export const kinds = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ kind }) => kind)

/** Nobody stops what is being sent: a slow machine is no reason to. */
export const UNSTOPPED: AbortSignal = new AbortController().signal

/** One mail, and what becomes of it. */
export async function sendOne(
  provider: Pick<Provider, 'send'>,
  letter: Letter = aLetter(),
  copy: Copy = aCopy(),
  signal: AbortSignal = UNSTOPPED,
): Promise<Outcome> {
  const [outcome] = await provider.send(letter, [copy], signal)
  if (!outcome) throw new Error('no outcome')
  return outcome
}

type CopyParts = Partial<Omit<Copy, 'to'>> & { to?: Copy['to'] | string }
