import type { ServerResponse } from 'node:http'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { MemoryShare } from '../memory-budget.ts'
import { readWhole } from '../whole-body.ts'
import { createBodyRoom } from './body-room.ts'
import { clientAddress } from './security.ts'

/** Twice what the longest list of ours has. Their number decides how long reading takes, not the size of the body. */
const VALUES_MAX = 200_000

const MEGABYTE = 2 ** 20
/** The largest that any route takes has 16 MB, a list of 100,000 as most have it 3. */
const USERS_ROOM = { bytes: 64 * MEGABYTE, ownerBytes: 32 * MEGABYTE }
/** Nobody needs more than a few hundred bytes to sign in. */
const STRANGERS_ROOM = { bytes: 16 * MEGABYTE, ownerBytes: 4 * MEGABYTE }
/** A body that announces no more takes less than the connection that brings it: it never waits for room. */
const SMALL = 16_384

const [QUOTE, BACKSLASH, COMMA, COLON, BRACKET, BRACE] = Buffer.from('"\\,:[{')

type Needs = {
  publicUrl: URL
  /** Who is signed in; known before a body is read. */
  userIdOf: (request: FastifyRequest) => string | null
}

/** JSON is read in one go, and nobody else is served meanwhile: millions of tiny values would take seconds. */
export function addJsonBody(app: FastifyInstance, { publicUrl, userIdOf }: Needs): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const users = createBodyRoom(USERS_ROOM)
  const strangers = createBodyRoom(STRANGERS_ROOM)
  const answers = new WeakMap<FastifyRequest, ServerResponse>()

  /** Kept until the answer is out: what was read lives as long. */
  function roomFor(request: FastifyRequest): MemoryShare {
    const userId = userIdOf(request)
    const room = userId === null ? strangers.share(clientAddress(request, publicUrl)) : users.share(userId)
    const end = (): void => room[Symbol.dispose]()
    const answer = answers.get(request)
    // Whoever has hung up gets no answer that could end.
    if (!answer || answer.closed) end()
    else answer.once('close', end)
    return room
  }

  app.addHook('onRequest', async (request, reply) => void answers.set(request, reply.raw))
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const isSmall = Number(request.headers['content-length'] ?? Number.NaN) <= SMALL
    const body = await bodyOf(request, isSmall ? UNMEASURED : roomFor(request))
    if (hasTooManyValues(body)) throw new AppError(413, 'The request has too many entries')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    parse(request, body.toString(), (error, value) => (error ? reject(error) : resolve(value)))
    return promise
  })
}

const UNMEASURED: MemoryShare = {
  grow: async () => {},
  filling: () => UNMEASURED,
  [Symbol.dispose]() {},
}

async function bodyOf(request: FastifyRequest, memory: MemoryShare): Promise<Buffer> {
  const body = await readWhole(request.raw, { most: request.routeOptions.bodyLimit, memory })
  if (body === 'too-large') throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  // Nobody is there any more to be told.
  if (body === 'cut-short' || body === 'too-slow') throw new AppError(400, 'The request did not arrive whole')
  const told = request.headers['content-length']
  if (told !== undefined && Number(told) !== body.length)
    throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  return body
}

function hasTooManyValues(json: Buffer): boolean {
  let values = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (isInString) {
      if (sign === BACKSLASH) at++
      else if (sign === QUOTE) isInString = false
    } else if (sign === QUOTE) isInString = true
    else if (sign === COMMA || sign === COLON || sign === BRACKET || sign === BRACE)
      if (++values > VALUES_MAX) return true
  }
  return false
}
