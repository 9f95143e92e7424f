import type { Server } from 'node:http'
import { isUnsteady, sometime } from '../server/test/unsteady.ts'

/** On the way there, and on the way back. */
const CALL_MS = 400
const FILE_MS = 60

export function makeUnsteady(server: Server): void {
  if (!isUnsteady) return
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const isCall = request.url?.startsWith('/api') ?? false
    const end = response.end.bind(response)
    if (isCall)
      response.end = ((...parts: Parameters<typeof end>) => {
        setTimeout(() => end(...parts), sometime(CALL_MS))
        return response
      }) as typeof end
    setTimeout(
      () => {
        for (const handle of handlers) handle.call(server, request, response)
      },
      sometime(isCall ? CALL_MS : FILE_MS),
    )
  })
}
