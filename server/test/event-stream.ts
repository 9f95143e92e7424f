import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from './browser.ts'
import type { RunningApp } from './running-app.ts'
import { until } from './until.ts'

export type StreamEvent = { name: string; data: unknown }

export type EventStream = {
  status: number
  headers: IncomingMessage['headers']
  events: readonly StreamEvent[]
  /** The body of an answer that is no stream. */
  text: () => string
  /** Waits for an event that `fits`. */
  next: (what: string, fits: (event: StreamEvent) => boolean) => Promise<void>
  /** Resolves when the server has ended the stream; tells whether it came to its end, or was cut. */
  ended: Promise<'whole' | 'cut'>
  leave: () => void
}

/** `GET /api/events` over a real port, which an injected request cannot keep open. */
export async function watch(running: RunningApp, browser: Browser): Promise<EventStream> {
  if (!running.app.http.server.listening) await running.app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = running.app.http.server.address() as AddressInfo
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get({ port, host: '127.0.0.1', path: '/api/events', headers: { cookie } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const events: StreamEvent[] = []
  let text = ''
  let unread = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    unread += chunk
    const blocks = unread.split('\n\n')
    unread = blocks.pop() ?? ''
    events.push(...blocks.flatMap(readBlock))
  })
  response.on('error', () => {})
  const ended = once(response, 'close').then(() => (response.complete ? 'whole' : 'cut'))
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    next: (what, fits) => until(what, async () => events.some(fits)),
    ended,
    leave: () => response.destroy(),
  }
}

function readBlock(block: string): StreamEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const [name, data] = [fields.get('event'), fields.get('data')]
  return name === undefined || data === undefined ? [] : [{ name, data: JSON.parse(data) }]
}
