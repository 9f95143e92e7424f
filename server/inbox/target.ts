import type { DeliveryKey } from '../delivery/tokens.ts'

/** Where a mail goes. `delivery`: the mail of ours that it answers, told by the token in the address. */
export type InboxTarget = { inboxId: string; userId: string; delivery: DeliveryKey | null }

/** As the server that brought the mail named them; the sender is empty for a mail from nobody. */
export type Envelope = { from: string; to: string }
