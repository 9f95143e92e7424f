import type { EmailActivity, Stats } from '../../contract/stats.ts'
import type { Database } from '../platform/database.ts'
import { byDay, calendarOf, DAYS_BACK } from './days.ts'
import { statsOf } from './rates.ts'
import { shareReads } from './shared-reads.ts'
import * as store from './store.ts'

export type StatsService = {
  stats(userId: string): Promise<Stats>
  activity(userId: string, timeZone: string): Promise<EmailActivity>
}

export function createStats({ db }: { db: Database }): StatsService {
  // While a campaign runs every open page of its user asks again and again.
  const totals = shareReads((userId) => store.sumRuns(db, userId))
  const recent = shareReads((userId) => store.sumRecentRuns(db, userId, DAYS_BACK))
  return {
    stats: async (userId) => statsOf(await totals(userId)),
    async activity(userId, timeZone) {
      const calendar = calendarOf(timeZone)
      return byDay(await recent(userId), calendar)
    },
  }
}
