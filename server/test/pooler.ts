import { createServer, type Socket } from 'node:net'
import { reachOf, urlBy } from './database-way.ts'

/** All that PgBouncer takes at the beginning of a connection, unless it is told to ignore more. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'intervalstyle'],
  ...['standard_conforming_strings', 'application_name'],
])

/** Length and version of the protocol stand before the settings, each of which is a name and a value. */
const SETTINGS_AT = 8

/** A pooler in session mode before a PostgreSQL: it passes on every byte of a connection that it has let in. */
export async function aPoolerTo(
  serverUrl: string,
): Promise<AsyncDisposable & { url: (databaseUrl: string) => string }> {
  const reach = reachOf(serverUrl)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    near.once('data', (start) => {
      const refused = settingsIn(start).find((name) => !TAKEN.has(name.toLowerCase()))
      if (refused !== undefined) return void near.end(refusalOf(refused))
      const far = reach()
      far.write(start)
      near.pipe(far).pipe(near)
      for (const socket of [near, far]) {
        open.add(socket)
        const end = () => {
          near.destroy()
          far.destroy()
        }
        socket.on('close', end).on('error', end)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: (databaseUrl) => urlBy(server, databaseUrl),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const settingsIn = (start: Buffer): string[] =>
  start
    .toString('utf8', SETTINGS_AT)
    .split('\0')
    .filter((text, index) => index % 2 === 0 && text !== '')

function refusalOf(setting: string): Buffer {
  const words = `SFATAL\0C08P01\0Munsupported startup parameter: ${setting}\0\0`
  const head = Buffer.from('E\0\0\0\0', 'latin1')
  head.writeInt32BE(words.length + 4, 1)
  return Buffer.concat([head, Buffer.from(words)])
}
