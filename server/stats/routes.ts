import { ActivityQuery, EmailActivity, Stats } from '../../contract/stats.ts'
import { userOf } from '../auth/sessions.ts'
import type { Http } from '../platform/http/http.ts'
import type { StatsService } from './service.ts'

export function statsRoutes(app: Http, { stats }: { stats: StatsService }): void {
  app.get('/api/stats', { schema: { response: { 200: Stats } } }, (request) =>
    stats.stats(userOf(request).id),
  )

  app.get(
    '/api/email-activity',
    { schema: { querystring: ActivityQuery, response: { 200: EmailActivity } } },
    (request) => stats.activity(userOf(request).id, request.query.timeZone ?? 'UTC'),
  )
}
