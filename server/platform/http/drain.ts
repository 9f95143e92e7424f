import type { FastifyInstance } from 'fastify'

/** Longer than any honest request of ours; the jobs need the rest of a service manager's patience. */
const PATIENCE_MS = 8_000

/**
 * Closing waits for the requests under way, then ends every connection. Browsers open some in advance and send nothing
 * on them; without this, such a one would hold up a stop for a minute.
 */
export function addDrain(app: FastifyInstance): void {
  let underWay = 0
  let whenIdle = () => {}

  app.addHook('onRequest', async (_request, reply) => {
    underWay += 1
    // 'close' comes once for every reply, also for one whose client went away.
    reply.raw.once('close', () => {
      underWay -= 1
      if (underWay === 0) whenIdle()
    })
  })

  app.addHook('preClose', async () => {
    if (underWay > 0)
      await new Promise<void>((resolve) => {
        whenIdle = resolve
        setTimeout(resolve, PATIENCE_MS).unref()
      })
    app.server.closeAllConnections()
  })
}
