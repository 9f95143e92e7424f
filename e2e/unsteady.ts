import type { Server } from 'node:http'

/** `UNSTEADY=1 npm test -- e2e`: every answer comes when it likes, so a journey that holds only in one order shows it. */
const isUnsteady = process.env['UNSTEADY'] === '1'

/** The longest that most wait, on the way there and on the way back; some wait three times as long. */
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

function sometime(most: number): number {
  const luck = Math.random()
  if (luck < 0.4) return 0
  return Math.random() * (luck < 0.93 ? most : 3 * most)
}
