import { inWords, recount } from '../delivery/store/recount.ts'
import { type Command, say } from './command.ts'
import { withInstallation } from './database.ts'

export const verifyCounters: Command = {
  name: 'verify-counters',
  takes: '',
  does: 'counts every delivery anew and names each counter that differs, also while Postrider sends',
  run: () =>
    withInstallation(async ({ db }) => {
      const { campaigns, deliveries, differences } = await recount(db)
      for (const difference of differences) await say(inWords(difference))
      await say(`${differences.length} differences in ${campaigns} campaigns with ${deliveries} deliveries`)
      return differences.length === 0 ? 0 : 1
    }),
}
