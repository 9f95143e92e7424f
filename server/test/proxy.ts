import { connect, createServer, type Socket } from 'node:net'

export type DatabaseProxy = AsyncDisposable & {
  /** The address of a database of that server, by way of the proxy. */
  url: (databaseUrl: string) => string
  /** Lets everything through; cuts all connections and refuses new ones; or swallows every byte without a word. */
  behave: (as: 'pass' | 'refuse' | 'silent') => void
}

/** Stands between Postrider and its PostgreSQL, and misbehaves on demand. */
export async function aProxyBefore(serverUrl: string): Promise<DatabaseProxy> {
  const target = new URL(serverUrl)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  let behaviour: Parameters<DatabaseProxy['behave']>[0] = 'pass'
  const pairs = new Set<[Socket, Socket]>()

  const server = createServer((inner) => {
    if (behaviour === 'refuse') {
      inner.destroy()
      return
    }
    const outer = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname)
    const pair: [Socket, Socket] = [inner, outer]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (chunk) => {
        if (behaviour !== 'silent') to.write(chunk)
      })
    pass(inner, outer)
    pass(outer, inner)
    for (const socket of pair) socket.on('close', end).on('error', end)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()

  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }

  return {
    url(databaseUrl) {
      const url = new URL(databaseUrl)
      url.searchParams.delete('host')
      url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
      return url.href
    },
    behave(as) {
      behaviour = as
      if (as === 'refuse') cut()
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
