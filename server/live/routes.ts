import { type Sessions, userOf } from '../auth/sessions.ts'
import { AppError } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import type { Notice, Notices } from '../platform/notices.ts'
import { createPageStream, PACE, type Pace, type PageStream } from './page-stream.ts'

/** What a notice of some kind means to a browser: the data of its event, or null for nothing. */
type Describe = (userId: string, id: string) => Promise<object | null>

type Dependencies = {
  notices: Pick<Notices, 'subscribe'>
  sessions: Pick<Sessions, 'find'>
  /** By kind of notice; the kind is the event's name. */
  describe: Readonly<Record<string, Describe>>
  /** For tests, which cannot wait for minutes. */
  pace?: Pace
}

type Live = {
  /** Ends all streams, so that closing the server does not wait for them. */
  close(): void
}

/** More tabs than anyone has open. */
const STREAMS_PER_USER = 20

/** `GET /api/events`: tells open pages what has changed while they look, whichever process changed it. */
export function liveRoutes(app: Http, { notices, sessions, describe, pace = PACE }: Dependencies): Live {
  const streams = new Map<PageStream, string>()
  let isClosed = false

  app.get('/api/events', async (request, reply) => {
    const { id: userId } = userOf(request)
    // Whoever hung up while their session was looked up would be counted for ever: the end that counts them out is past.
    if (reply.raw.closed) return void reply.hijack()
    if ([...streams.values()].filter((owner) => owner === userId).length >= STREAMS_PER_USER)
      throw new AppError(429, 'Too many open pages are watching at the same time; please close some')
    const isSignedIn = async () => (await sessions.find(request))?.id === userId
    const stream = createPageStream(reply.raw, pace, isSignedIn)
    streams.set(stream, userId)
    reply.raw.on('close', () => streams.delete(stream))
    // One after the other: an older state must not overtake a newer one.
    let told = Promise.resolve()
    // A page that sees the stream open, and reads what is there then, misses nothing that changes after.
    const unsubscribe = await notices.subscribe({
      userId,
      heard(notice) {
        told = told.then(() => tell(stream, notice)).catch(stream.end)
      },
      lost: stream.end,
    })
    reply.hijack()
    if (isClosed) stream.end()
    const isOpen = stream.open({
      ...headersOf(reply.getHeaders()),
      'content-type': 'text/event-stream; charset=utf-8',
      // Asks reverse proxies not to hold events back.
      'x-accel-buffering': 'no',
    })
    if (isOpen) reply.raw.on('close', unsubscribe)
    else unsubscribe()
  })

  async function tell(stream: PageStream, { userId, kind, id }: Notice): Promise<void> {
    if (!stream.isOpen()) return
    const data = await describe[kind]?.(userId, id)
    if (data) await stream.tell(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  return {
    close() {
      isClosed = true
      for (const stream of streams.keys()) stream.end()
    },
  }
}

function headersOf(headers: Record<string, number | string | string[] | undefined>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}
