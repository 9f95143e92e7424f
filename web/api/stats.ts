import { queryOptions } from '@tanstack/react-query'
import { EmailActivity, Stats } from '../../contract/stats.ts'
import { apiRequest, readJson } from './client.ts'
import { untilMidnight } from './new-day.ts'
import { zoneQuery } from './time-zone.ts'

export const statsKey = ['/api/stats'] as const
export const activityKey = ['/api/email-activity'] as const

export const statsQuery = queryOptions({
  queryKey: statsKey,
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', '/api/stats', undefined, { signal })
    return Stats.parse(await readJson(response))
  },
})

/** The days of the person who looks. */
export const activityQuery = queryOptions({
  queryKey: activityKey,
  // The last of them is today for as long as that lasts.
  staleTime: ({ state }: { state: { dataUpdatedAt: number } }) =>
    untilMidnight(new Date(state.dataUpdatedAt)),
  queryFn: async ({ signal }) => {
    const response = await apiRequest('GET', `/api/email-activity${zoneQuery()}`, undefined, { signal })
    return EmailActivity.parse(await readJson(response))
  },
})
