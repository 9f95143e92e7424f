import { recount } from '../delivery/store/recount.ts'
import { type Command, say } from './command.ts'
import { withInstallation } from './database.ts'

export const verifyCounters: Command = {
  name: 'verify-counters',
  takes: '',
  does: 'counts every delivery anew and names each counter that differs, also while Postrider sends',
  run: () =>
    withInstallation(async ({ db }) => {
      const { campaigns, deliveries, differences } = await recount(db)
      for (const { campaignId, counter, says, deliveriesSay } of differences)
        await say(`Campaign ${campaignId}: ${counter} says ${says}, its deliveries say ${deliveriesSay}`)
      await say(`${differences.length} differences in ${campaigns} campaigns with ${deliveries} deliveries`)
      return differences.length === 0 ? 0 : 1
    }),
}
