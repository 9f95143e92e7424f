import { Instance } from '../../contract/instance.ts'
import { type Database, isAlive } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'

const PUBLIC = { access: 'public' } as const

/** What this installation tells to everyone: that it lives, that it can serve, and what the screens need to know. */
export function instanceRoutes(app: Http, { db, instance }: { db: Database; instance: Instance }): void {
  app.get('/healthz', { config: PUBLIC }, (_request, reply) => reply.type('text/plain').send('ok'))

  app.get('/readyz', { config: PUBLIC }, async (_request, reply) => {
    if (!(await isAlive(db))) throw new AppError(503, 'The database cannot be reached')
    return reply.type('text/plain').send('ready')
  })

  app.get('/api/instance', { config: PUBLIC, schema: { response: { 200: Instance } } }, () => instance)
}
