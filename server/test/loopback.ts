import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isUnsteady, makeUnsteady } from './unsteady.ts'

/** What a service takes for a call, where it is unsteady. */
const SERVICE_MS = 80

/** Where a server can be called, once it listens; closing cuts whatever is still open. */
type Loopback = { url: URL; close(): Promise<void> }

/** Lets a server listen on this machine alone, on whatever port is free unless one is named. */
export async function onLoopback(server: Server, port = 0): Promise<Loopback> {
  if (isUnsteady) makeUnsteady(server, () => SERVICE_MS)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
