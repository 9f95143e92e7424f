import type { ServerResponse } from 'node:http'
import { userOf } from '../auth/sessions.ts'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import type { Notice, Notices } from '../platform/notices.ts'

/** What a notice of some kind means to a browser: the data of its event, or null for nothing. */
type Describe = (userId: string, id: string) => Promise<object | null>

type Dependencies = {
  notices: Pick<Notices, 'subscribe'>
  /** By kind of notice; the kind is the event's name. */
  describe: Readonly<Record<string, Describe>>
}

type Live = {
  /** Ends all streams, so that closing the server does not wait for them. */
  close(): void
}

/** More tabs than anyone has open. */
const STREAMS_PER_USER = 20
/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000
/** The browser then connects again, and proves again who it is. */
const LIFETIME_MS = 10 * 60_000

/** `GET /api/events`: tells open pages what has changed while they look, whichever process changed it. */
export function liveRoutes(app: Http, { notices, describe }: Dependencies): Live {
  const streams = new Map<ServerResponse, string>()
  let isClosed = false

  app.get('/api/events', async (request, reply) => {
    const { id: userId } = userOf(request)
    if ([...streams.values()].filter((owner) => owner === userId).length >= STREAMS_PER_USER)
      throw new AppError(429, 'Too many open pages are watching at the same time; please close some')
    const stream = reply.raw
    streams.set(stream, userId)
    stream.on('close', () => streams.delete(stream))
    let isLost = false
    /** The page comes back, and reads what it was not told. */
    const lose = () => {
      isLost = true
      if (stream.headersSent) stream.end()
    }
    // One after the other: an older state must not overtake a newer one.
    let told = Promise.resolve()
    // A page that sees the stream open, and reads what is there then, misses nothing that changes after.
    const unsubscribe = await notices.subscribe({
      userId,
      heard(notice) {
        told = told.then(() => tell(stream, notice)).catch(lose)
      },
      lost: lose,
    })
    reply.hijack()
    if (stream.destroyed || isLost || isClosed) {
      unsubscribe()
      stream.destroy()
      return
    }
    stream.writeHead(200, {
      ...headersOf(reply.getHeaders()),
      'content-type': 'text/event-stream; charset=utf-8',
      // Asks reverse proxies not to hold events back.
      'x-accel-buffering': 'no',
    })
    stream.write('retry: 2000\n\n')
    const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS)
    const lifetime = setTimeout(() => stream.end(), LIFETIME_MS)
    stream.on('close', () => {
      unsubscribe()
      clearInterval(heartbeat)
      clearTimeout(lifetime)
    })
  })

  async function tell(stream: ServerResponse, { userId, kind, id }: Notice): Promise<void> {
    const data = await describe[kind]?.(userId, id)
    if (data && stream.headersSent && !stream.writableEnded)
      stream.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  return {
    close() {
      isClosed = true
      for (const stream of streams.keys()) if (stream.headersSent) stream.end()
    },
  }
}

function headersOf(headers: Record<string, number | string | string[] | undefined>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}
