import type { IncomingMessage, Server } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { reachOf, urlBy } from './database-way.ts'

/** Also where a test has stopped the clock. */
const realTimeout = globalThis.setTimeout

/**
 * `UNSTEADY=1 npm test` has answers come when they like: those of the database that tests share and of the simulated
 * services that speak HTTP, in the journeys also those of our own server, and its news. Whoever relies on an order, in
 * the product or in a test, fails there first.
 */
export const isUnsteady = process.env['UNSTEADY'] === '1'

/** Often no time at all, mostly less than so many milliseconds, now and then up to three times that. */
function sometime(most: number): number {
  const luck = Math.random()
  if (luck < 0.4) return 0
  return Math.random() * (luck < 0.93 ? most : 3 * most)
}

/** On each of the two ways of a question to the database and its answer. */
const QUERY_MS = 15

type UnsteadyWay = { url: string; stop: () => Promise<void> }

/** Another way to the same PostgreSQL, on which bytes keep their order and take their time. */
export async function unsteadyWayTo(serverUrl: string): Promise<UnsteadyWay> {
  const reach = reachOf(serverUrl)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = reach()
    pass(near, far)
    pass(far, near)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.setNoDelay().on('close', () => open.delete(socket))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: urlBy(server, serverUrl),
    stop: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function pass(from: Socket, to: Socket): void {
  let last = Promise.resolve()
  from.on('data', (chunk) => {
    last = last.then(async () => {
      await setTimeout(sometime(QUERY_MS))
      if (to.writable) to.write(chunk)
    })
  })
  const end = () => void last.then(() => to.destroy())
  from.on('close', end).on('error', end)
}

/** Has a server take its time before it listens to a request, and before it ends the answer. */
export function makeUnsteady(server: Server, most: (request: IncomingMessage) => number): void {
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const wait = (then: () => void) => void realTimeout(then, sometime(most(request)))
    const { write, end } = response
    let last = Promise.resolve()
    const inTurn = (then: () => void) => {
      last = last.then(() => new Promise<void>((resolve) => wait(resolve))).then(then)
    }
    const isNews = request.headers.accept === 'text/event-stream'
    response.write = ((...parts: Parameters<typeof write>) => {
      if (!isNews) return write.apply(response, parts)
      inTurn(() => void write.apply(response, parts))
      return true
    }) as typeof write
    response.end = ((...parts: Parameters<typeof end>) => {
      inTurn(() => void end.apply(response, parts))
      return response
    }) as typeof end
    wait(() => {
      for (const handle of handlers) handle.call(server, request, response)
    })
  })
}
