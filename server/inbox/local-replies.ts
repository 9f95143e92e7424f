import type { ReplyReceiver } from '../local-mailbox/reply-routes.ts'
import type { InboxService } from './service.ts'

/** What the local mailbox hands over arrives as if a mail server had brought it. */
export const toInbox = (inbox: Pick<InboxService, 'targetOf' | 'take'>): ReplyReceiver => ({
  receives: async (address) => (await inbox.targetOf(address)) !== null,
  async take(raw, envelope) {
    const target = await inbox.targetOf(envelope.to)
    if (target) await inbox.take(raw, envelope, target)
    return target !== null
  },
})
