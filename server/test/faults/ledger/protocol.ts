import { z } from 'zod'

/** What passes between a test and a ledger, and what a ledger writes down: one JSON line for each entry. */

/** Mail to this box is the product's own: never lied about, and kept whole so that the code in it can be read. */
export const OWNER = 'owner@'

/** Whom a ledger plays: the product's own provider (the first two), or one at which a user has an account. */
export const LedgerKind = z.enum(['smtp', 'resend', 'sendgrid', 'mailgun', 'ses'])
export type LedgerKind = z.infer<typeof LedgerKind>
export type HttpKind = Exclude<LedgerKind, 'smtp'>
export type ProductKind = 'smtp' | 'resend'

/**
 * - accept-then-drop, accept-then-fail: the mail was taken, the client is not told
 * - drop-at-dot, silence: the whole mail came and was not taken, the client cannot know
 * - drop-at-data, fail, rate-limit, refuse-for-now: not taken, and the client can know or is told
 * - refuse: never
 */
export const Lie = z.enum([
  'accept-then-drop',
  'accept-then-fail',
  'drop-at-dot',
  'silence',
  'drop-at-data',
  'fail',
  'rate-limit',
  'refuse-for-now',
  'refuse',
])
export type Lie = z.infer<typeof Lie>

/** After these nobody but the provider knows whether the mail was taken. */
export const AMBIGUOUS: ReadonlySet<Lie> = new Set([
  'accept-then-drop',
  'accept-then-fail',
  'drop-at-dot',
  'silence',
])

export const Behaviour = z.object({
  /**
   * up; down: refuses connections and cuts those it has; failing: answers every call that it is out of order; unable:
   * only those that bring mail, while questions about the account are answered as ever.
   */
  state: z.enum(['up', 'down', 'failing', 'unable']),
  /** How long each message takes: a part before it is taken, the rest before the answer. */
  delayMs: z.number(),
  /** Which share of messages (SMTP) or calls (all others) meets which lie. */
  lies: z.partialRecord(Lie, z.number()),
  /** Recipients whose address begins so always meet this lie. */
  always: z.record(z.string(), Lie),
  /** The range of seconds for which a rate limit holds. */
  retryAfter: z.tuple([z.number(), z.number()]),
  /** Mails are taken, and the answers wait until they are released. By HTTP only. */
  isHolding: z.boolean(),
  seed: z.number(),
})
export type Behaviour = z.infer<typeof Behaviour>

export const HONEST: Behaviour = {
  state: 'up',
  delayMs: 0,
  lies: {},
  always: {},
  retryAfter: [1, 2],
  isHolding: false,
  seed: 1,
}

export const Command = z.object({
  id: z.number(),
  behave: Behaviour.optional(),
  /** Cuts all connections, those that were kept waiting included. */
  cut: z.boolean().optional(),
  /** The next messages (SMTP) or calls that bring mail (all others) meet these, one each; null is an honest answer. */
  plan: z.array(Lie.nullable()).optional(),
  /** Gives the answers that are being held. */
  release: z.boolean().optional(),
})
export type Command = z.infer<typeof Command>

/** The answer to a command; number 0 comes once by itself when the ledger listens. */
export const Report = z.object({
  id: z.number(),
  ports: z.array(z.number()),
  accepted: z.number(),
  /** Messages (SMTP) or calls that bring mail (all others) that have come in, whatever became of them. */
  begun: z.number(),
  connections: z.number(),
  mostConnections: z.number(),
})
export type Report = z.infer<typeof Report>

/** Times are milliseconds of the machine's clock. A door is one of the ports, so that workers can be told apart. */
export const Entry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('accepted'),
    to: z.string(),
    messageId: z.string(),
    door: z.number(),
    startedAt: z.number(),
    at: z.number(),
    /** The mail itself, for the owner's box only. */
    text: z.string().optional(),
  }),
  z.object({
    kind: z.literal('lie'),
    lie: Lie,
    to: z.string(),
    door: z.number(),
    startedAt: z.number(),
    at: z.number(),
  }),
  z.object({
    kind: z.literal('call'),
    door: z.number(),
    startedAt: z.number(),
    at: z.number(),
    /** Whether it brought mail; others ask about the account. */
    isSending: z.boolean(),
    /** Null when the connection was reset instead of an answer. */
    status: z.number().nullable(),
    /** The wait that the answer asks for, in seconds, in whichever way this provider says it. */
    retryAfter: z.number().nullable(),
  }),
])
export type Entry = z.infer<typeof Entry>
export type Acceptance = Extract<Entry, { kind: 'accepted' }>
