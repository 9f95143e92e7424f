import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/** Twice what the longest list of ours has. Their number decides how long reading takes, not the size of the body. */
const VALUES_MAX = 200_000

const [QUOTE, BACKSLASH, COMMA, COLON, BRACKET, BRACE] = Buffer.from('"\\,:[{')

/** JSON is read in one go, and nobody else is served meanwhile: millions of tiny values would take seconds. */
export function addJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (hasTooManyValues(body)) done(new AppError(413, 'The request has too many entries'))
    else parse(request, body.toString(), done)
  })
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
