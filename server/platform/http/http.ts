import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  type RawServerDefault,
} from 'fastify'
import { isDatabaseAway } from '../database.ts'
import { AppError, nothingHere } from '../errors.ts'
import type { Log } from '../log.ts'
import { addContracts, type ContractTypes } from './contract.ts'
import { addDrain } from './drain.ts'
import { addJsonBody } from './json-body.ts'
import { addSecurity, setSecurityHeaders } from './security.ts'

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ContractTypes
>

/** Enough for every form of ours; a route that takes more says so itself. */
const BODY_LIMIT = 256 * 1024
/** A client that dribbles its request is cut off; nothing of ours needs longer to arrive. */
const REQUEST_TIMEOUT_MS = 30_000
/** Time to read why, before whoever does not hang up is cut off with all that it had brought. */
const FAREWELL_MS = 1_000

type Needs = {
  log: Log
  publicUrl: URL
  /** Who is signed in, once the hooks of a request have found out. */
  userIdOf?: (request: FastifyRequest) => string | null
}

export async function createHttp({ log, publicUrl, userIdOf = () => null }: Needs): Promise<Http> {
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 200 },
    // It would also bound closing, and cut short the wait for requests under way; nothing of ours loads slowly.
    pluginTimeout: 0,
    clientErrorHandler: refuseBrokenRequest,
    // Errors before any route and any hook, such as a bad percent sign in the path.
    frameworkErrors: (error, _request, reply) => {
      setSecurityHeaders(reply, publicUrl)
      answer(error, reply)
    },
  }).withTypeProvider<ContractTypes>()

  // JSON is the only body a browser page cannot send to another site without asking first.
  app.removeContentTypeParser('text/plain')
  addJsonBody(app, { publicUrl, userIdOf })
  addDrain(app)
  addContracts(app)
  addSecurity(app, publicUrl)
  await app.register(cookie)

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    log.debug(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const sent = answer(error, reply)
    // What is answered on purpose, and a database that is away, are told of elsewhere, once.
    if (sent.statusCode >= 500 && !(error instanceof AppError) && !isDatabaseAway(error))
      log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'a request failed')
    return sent
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })
  return app
}

type Reply = Parameters<Parameters<FastifyInstance['setErrorHandler']>[0]>[2]

/** Every error leaves as one plain sentence: the client shows "status: sentence" to a person. */
function answer(error: FastifyError | AppError, reply: Reply): Reply {
  const { status, sentence, headers } = toAnswer(error)
  return reply.code(status).headers(headers).type('text/plain; charset=utf-8').send(sentence)
}

type Answer = { status: number; sentence: string; headers: Readonly<Record<string, string>> }

function toAnswer(error: unknown): Answer {
  if (error instanceof AppError)
    return { status: error.status, sentence: error.message, headers: error.headers }
  if (isDatabaseAway(error))
    return {
      status: 503,
      sentence: 'The database cannot be reached at the moment. Please try again in a few seconds',
      headers: { 'retry-after': '5' },
    }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FRAMEWORK_ANSWERS[code]
  if (known) return { status: known[0], sentence: known[1], headers: {} }
  return {
    status: 500,
    sentence: 'Something went wrong on our side. It has been logged; please try again',
    headers: {},
  }
}

const FRAMEWORK_ANSWERS: Readonly<Record<string, readonly [number, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The request body must be JSON (content type application/json)'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The request body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'The request body is empty; JSON was expected'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The request body does not have the length it announced'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The request body is too large'],
  FST_ERR_BAD_URL: [400, 'The address of the request is not well formed'],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'There is nothing at this address'],
}

/** A request that is no HTTP never becomes a reply object: its answer is written as it stands. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const [status, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers of the request are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time']
        : ['400 Bad Request', 'The request is not well formed']
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: text/plain; charset=utf-8',
      `content-length: ${Buffer.byteLength(sentence)}`,
      "content-security-policy: default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'connection: close',
      '',
      sentence,
    ].join('\r\n'),
  )
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
}
