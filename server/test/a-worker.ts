import { createDispatcher } from '../delivery/dispatcher.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import type { Outcome, Provider } from '../providers/provider.ts'
import { aProvider } from './a-provider.ts'
import { aLetter } from './simulators/a-mail.ts'
import { ACCEPTED, type StoredCampaign } from './stored-campaign.ts'

type Own = Partial<Provider> & {
  /** What it says to each mail; this takes as long as it takes. */
  answer?: (messageId: string) => Promise<Outcome>
  /** Accounts with another provider behind them. */
  others?: Readonly<Record<string, Provider>>
}

/** A worker with a provider of its own; it looks for work when it is told to, and not by itself. */
export function aWorker(db: Database, { answer = async () => ACCEPTED, others = {}, ...own }: Own = {}) {
  const mailed: string[] = []
  const provider = aProvider({
    send: (_letter, copies) =>
      Promise.all(
        copies.map(({ messageId }) => {
          mailed.push(messageId)
          return answer(messageId)
        }),
      ),
    ...own,
  })
  const dispatcher = createDispatcher({
    db,
    log: createLog('silent'),
    letters: { of: async () => aLetter() },
    shared: { account: 'product' },
    providerOf: async (account) => others[account] ?? provider,
    letGo: async () => {},
    copiesOf: (_letter, campaignId, deliveries) =>
      deliveries.map(({ seq, address }) => {
        const id = `${campaignId} ${seq}`
        return { to: { name: '', address }, messageId: id, idempotencyKey: id, headers: {} }
      }),
    retryMs: 3_600_000,
    retryIn: async () => {},
    progressed: () => {},
  })
  return {
    ...dispatcher,
    mailsOf: ({ id }: StoredCampaign) => mailed.filter((messageId) => messageId.startsWith(id)),
    [Symbol.asyncDispose]: () => dispatcher.stop(new AbortController().signal),
  }
}
