import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { MemoryShare } from '../memory-budget.ts'
import { readWhole } from '../whole-body.ts'
import type { Http } from './http.ts'

/** Less than the server waits for any request: its own answer then, 408, would make SendGrid throw a mail away. */
const ARRIVAL_MS = 25_000

/** What became of a call; nothing of a forged one has any effect. */
export type Received = 'stored' | 'forged' | 'untimely' | 'not-confirmed'

/** What is called, in the words of the answer. */
type Called = 'call' | 'report'

/** Who calls proves it by a signature over the bytes as they came, and by nothing that a browser would bring along. */
export const SIGNED = { access: 'public', allowForeignOrigin: true } as const

/** Routes for calls whose bodies are left where they are until it is known who calls. */
export function signedCalls(app: Http, addRoutes: (scope: Http) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Whatever it is called: SNS sends JSON as text/plain.
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    addRoutes(scope)
  })
}

export async function bodyOf({ raw }: FastifyRequest, most: number, memory: MemoryShare): Promise<Buffer> {
  const body = await readWhole(raw, { most, memory, timeoutMs: ARRIVAL_MS })
  // Nobody waits for the rest of it.
  const headers = { connection: 'close' }
  if (body === 'too-large') throw new AppError(413, 'The request body is too large', { headers })
  if (body === 'too-slow')
    throw new AppError(503, 'The request did not arrive in time; please try again', { headers })
  if (body === 'cut-short') throw new AppError(400, 'The request did not arrive whole')
  return body
}

export function requireStored(received: Received, called: Called): void {
  if (received === 'forged') throw forged(called)
  if (received === 'untimely')
    throw new AppError(503, `This ${called} was signed in a time that is too far away; please try again`)
  if (received === 'not-confirmed')
    throw new AppError(502, 'The subscription could not be confirmed; please try again')
}

export const forged = (called: Called): AppError =>
  new AppError(401, `This ${called} is not signed by an account that Postrider knows`)
