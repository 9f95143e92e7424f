import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { freePort } from '../../free-port.ts'

/** The ports of a ledger, which can be shut and opened again at the same numbers. */
type Doors = {
  ports: readonly number[]
  open(): Promise<void>
  /** Refuses new connections and cuts the old ones. */
  shut(): Promise<void>
  cut(): void
  connections(): { now: number; most: number }
}

export async function openDoors(servers: readonly Server[]): Promise<Doors> {
  const sockets = new Set<Socket>()
  const ports: number[] = []
  let most = 0

  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      most = Math.max(most, sockets.size)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(await freePort(), '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new Error('a server without a port')
    ports.push(address.port)
  }

  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  return {
    ports,
    cut,
    connections: () => ({ now: sockets.size, most }),
    async open() {
      for (const [index, server] of servers.entries()) {
        if (server.listening) continue
        server.listen(ports[index], '127.0.0.1')
        await once(server, 'listening')
      }
    },
    async shut() {
      const closed = servers
        .filter((server) => server.listening)
        .map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
      cut()
      await Promise.all(closed)
    },
  }
}
