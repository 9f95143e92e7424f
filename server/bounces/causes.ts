import type { BounceCause } from './reading.ts'

type CauseFacts = {
  /** Hard: writing to the address again is pointless. Soft: it is not, or the address is not to blame. */
  kind: 'hard' | 'soft'
  sentence: string
}

export const CAUSES: Record<BounceCause, CauseFacts> = {
  'no-such-mailbox': { kind: 'hard', sentence: 'The mailbox does not exist' },
  'no-such-domain': { kind: 'hard', sentence: 'The domain does not exist or takes no mail' },
  disabled: { kind: 'hard', sentence: 'The mailbox is disabled' },
  moved: { kind: 'hard', sentence: 'The recipient has moved to another address' },
  full: { kind: 'soft', sentence: 'The mailbox is full' },
  'too-large': { kind: 'soft', sentence: 'The mail is too large for the recipient' },
  content: { kind: 'soft', sentence: 'The content of the mail was refused' },
  blocked: { kind: 'soft', sentence: 'The sending server is blocked by the recipient' },
  policy: { kind: 'soft', sentence: "The recipient's rules refuse the mail" },
  authentication: { kind: 'soft', sentence: "The sender's authentication was refused" },
  greylisted: { kind: 'soft', sentence: 'The recipient asked to try again later' },
  temporary: { kind: 'soft', sentence: "The recipient's server has a passing problem" },
  expired: { kind: 'soft', sentence: 'Delivery was tried for too long' },
  relaying: { kind: 'soft', sentence: 'The server does not relay to this recipient' },
  loop: { kind: 'soft', sentence: 'The mail went round in a circle' },
  network: { kind: 'soft', sentence: "The recipient's server could not be reached" },
  unknown: { kind: 'soft', sentence: 'The mail was not delivered' },
}

/** Refusals of the mail or of its sender. Five of these in a row say nothing about the mailbox. */
export const NOT_THE_MAILBOX: ReadonlySet<BounceCause> = new Set([
  'too-large',
  'content',
  'blocked',
  'policy',
  'authentication',
  'relaying',
  'loop',
])
