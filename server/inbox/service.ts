import type { DeliveryKey } from '../delivery/tokens.ts'

/** Where a mail goes. `delivery`: the mail of ours that it answers, told by the token in the address. */
export type InboxTarget = { inboxId: string; userId: string; delivery: DeliveryKey | null }

/** As the server that brought the mail named them; the sender is empty for a mail from nobody. */
export type Envelope = { from: string; to: string }

/** What an answer to a message needs to know of it. */
export type MessageToAnswer = {
  id: string
  inboxId: string
  conversationId: string
  /** With brackets; empty where it has none. */
  messageId: string
  /** The ids that it answers itself, nearest last. */
  answeredIds: string[]
  from: { name: string; address: string }
  /** The one mailbox that an answer goes to; empty for none. */
  answersTo: string
  subject: string
  text: string | null
  /** The date that it gives itself, else that of its arrival. */
  writtenAt: Date
  isAutomatic: boolean
}

/** Mail that comes to the users: stored for good at once, read soon after. */
export type InboxService = {
  /** Whose inbox this address is: `name@domain`, or `name+token@domain`; null for nobody's. */
  targetOf(address: string): Promise<InboxTarget | null>
  /** The inbox of a user, made when it is first asked for. */
  ofUser(userId: string): Promise<{ inboxId: string; address: string }>
  /** Answers once the mail is stored for good. The same mail again changes nothing. */
  take(raw: Buffer, envelope: Envelope, target: InboxTarget): Promise<void>
  /** Null for a message that is absent, or another's. */
  toAnswer(userId: string, inboxId: string, messageId: string): Promise<MessageToAnswer | null>
  /** Takes up the reading of what has come. */
  work(): Promise<void>
}
