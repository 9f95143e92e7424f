import { Instance } from '../../contract/instance.ts'
import { type Database, isAlive } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { METRICS_TYPE, type MetricsReader, NOT_FOR_YOU } from './metrics-reader.ts'

const PUBLIC = { access: 'public' } as const

type Dependencies = {
  db: Database
  instance: Instance
  metrics: MetricsReader
}

/** What this installation tells to everyone: that it lives, that it can serve, and what the screens need to know. */
export function instanceRoutes(app: Http, { db, instance, metrics }: Dependencies): void {
  app.get('/healthz', { config: PUBLIC }, (_request, reply) => reply.type('text/plain').send('ok'))

  app.get('/readyz', { config: PUBLIC }, async (_request, reply) => {
    if (!(await isAlive(db))) throw new AppError(503, 'The database cannot be reached')
    return reply.type('text/plain').send('ready')
  })

  app.get('/api/instance', { config: PUBLIC, schema: { response: { 200: Instance } } }, () => instance)

  app.get('/metrics', { config: PUBLIC }, async (request, reply) => {
    const text = await metrics.read(request.headers, request.ip)
    if (text === null) throw new AppError(403, NOT_FOR_YOU)
    return reply.type(METRICS_TYPE).send(text)
  })
}
