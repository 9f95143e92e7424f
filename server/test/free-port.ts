import { createServer } from 'node:net'

/** Below those that a system gives to whoever asks for any port. */
const FIRST_PORT = 20_000
const PORTS = 12_000

/** Apart for each process that runs tests. */
let lastPort = process.pid * 97

/**
 * For whoever must name a port before it listens there, or comes back to it: one that the system chose could be given to
 * somebody else in between.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    lastPort += 1
    const port = FIRST_PORT + (lastPort % PORTS)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isListening) await new Promise((resolve) => server.close(resolve))
  return isListening
}
