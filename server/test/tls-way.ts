import { createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { reachOf, urlBy } from './database-way.ts'

/** A PostgreSQL that is reached by TLS alone and shows this certificate, as managed ones do. */
export type TlsWay = AsyncDisposable & {
  /** The address of a database of that server, at the host `localhost`, with these settings of the connection. */
  url: (databaseUrl: string, settings: Record<string, string>) => string
}

export async function aTlsWayTo(serverUrl: string, shown: { key: string; cert: string }): Promise<TlsWay> {
  const reach = reachOf(serverUrl)
  const open = new Set<() => void>()
  const server = createServer((near) => {
    // The first that a client says is that it wants TLS; `S` grants it.
    near.once('data', () => {
      near.write('S')
      const secured = new TLSSocket(near, { isServer: true, ...shown })
      const far = reach()
      const end = () => {
        open.delete(end)
        for (const socket of [near, secured, far]) socket.destroy()
      }
      open.add(end)
      for (const socket of [secured, far]) socket.on('close', end).on('error', end)
      secured.pipe(far).pipe(secured)
    })
    near.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url(databaseUrl, settings) {
      const url = new URL(urlBy(server, databaseUrl))
      url.hostname = 'localhost'
      for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
      return url.href
    },
    async [Symbol.asyncDispose]() {
      for (const end of open) end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
