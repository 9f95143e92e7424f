import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * The way from Postrider to its PostgreSQL, which can be blocked as networks are: bytes that are held come later, as
 * TCP brings them, if the connection still lives by then; bytes that are swallowed never come.
 */
export type DatabaseWay = AsyncDisposable & {
  /** The address of a database of that server, by this way. */
  url: (databaseUrl: string) => string
  /** Lets all through; cuts connections and refuses new ones; or holds or swallows every byte without a word. */
  behave: (as: 'pass' | 'refuse' | 'hold' | 'swallow') => void
  /**
   * The next time that such words pass to the database, the connection is reset: before the database hears them, or
   * after it has answered and Postrider has not heard it.
   */
  resetAt: (words: RegExp, when: 'before' | 'after') => void
  resets: () => number
}

type Trap = { words: RegExp; when: 'before' | 'after' }
type Pair = { near: Socket; far: Socket; isDoomed: boolean }

/** Opens connections to a PostgreSQL as its address says, which may be a socket in a folder. */
export function reachOf(serverUrl: string): () => Socket {
  const { searchParams, port, hostname } = new URL(serverUrl)
  const folder = searchParams.get('host')
  return () =>
    folder ? connect(`${folder}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), hostname)
}

/** The address of a database, by whoever listens on this machine and passes on. */
export function urlBy(server: Server, databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return url.href
}

export async function aWayTo(serverUrl: string): Promise<DatabaseWay> {
  const reach = reachOf(serverUrl)
  const pairs = new Set<Pair>()
  let behaviour: Parameters<DatabaseWay['behave']>[0] = 'pass'
  let trap: Trap | null = null
  let resets = 0

  const reset = (pair: Pair) => {
    pairs.delete(pair)
    pair.near.resetAndDestroy()
    pair.far.destroy()
  }

  function toDatabase(pair: Pair, chunk: Buffer): void {
    const isTrapped = trap?.words.test(chunk.toString('latin1')) ?? false
    if (isTrapped && trap) {
      resets++
      const { when } = trap
      trap = null
      if (when === 'before') {
        reset(pair)
        return
      }
      pair.isDoomed = true
    }
    pair.far.write(chunk)
  }

  const server = createServer((near) => {
    if (behaviour === 'refuse') return void near.resetAndDestroy()
    const far = reach()
    const pair: Pair = { near, far, isDoomed: false }
    pairs.add(pair)
    near.on('data', (chunk) => {
      if (behaviour !== 'swallow') toDatabase(pair, chunk)
    })
    far.on('data', (chunk) => {
      if (pair.isDoomed) reset(pair)
      else if (behaviour !== 'swallow') near.write(chunk)
    })
    const end = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      socket.on('close', end).on('error', end)
      if (behaviour === 'hold') socket.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: (databaseUrl) => urlBy(server, databaseUrl),
    behave(as) {
      behaviour = as
      for (const pair of pairs) {
        if (as === 'refuse') reset(pair)
        else for (const socket of [pair.near, pair.far]) as === 'hold' ? socket.pause() : socket.resume()
      }
    },
    resetAt(words, when) {
      trap = { words, when }
    },
    resets: () => resets,
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) reset(pair)
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
