import { z } from 'zod'
import { type Chance, everyNaughtyBody, hostileBody, oneOf, type Schema } from './bodies.ts'
import { NAUGHTY_PARTS, NAUGHTY_TEXTS } from './hostile-values.ts'

export type Operation = {
  method: string
  /** With its parameters in braces. */
  path: string
  query: readonly string[]
  body: Schema | null
}

export type HostileRequest = {
  method: string
  path: string
  headers: Record<string, string>
  payload?: Buffer
}

const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query']) })),
        requestBody: z
          .object({
            content: z.object({ 'application/json': z.object({ schema: z.custom<Schema>() }) }),
          })
          .optional(),
      }),
    ),
  ),
})

/** Every call that the description of the interface names; what deletes comes last, so that the others find something. */
export function operationsOf(document: unknown): Operation[] {
  return Object.entries(Document.parse(document).paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { parameters, requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
        body: requestBody?.content['application/json'].schema ?? null,
      })),
    )
    .toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
}

const page = (method: string, path: string, query: readonly string[] = []): Operation => ({
  ...{ method, path, query },
  body: null,
})

/** What is not for programs and therefore not described: pages, pictures, and what monitors ask for. */
export const PAGES: readonly Operation[] = [
  page('GET', '/{page}'),
  page('GET', '/assets/{file}'),
  page('GET', '/u/{token}', ['action']),
  page('POST', '/u/{token}', ['action']),
  page('GET', '/t/{token}.gif'),
  page('GET', '/local-mailbox', ['to', 'id', 'view', 'reply']),
  page('GET', '/local-mailbox/messages', ['to', 'limit']),
  page('GET', '/local-mailbox/messages/{messageId}/html'),
  page('GET', '/local-mailbox/messages/{messageId}/source'),
  page('POST', '/local-mailbox/messages/{messageId}/reply', ['to', 'view']),
  page('GET', '/metrics'),
  page('GET', '/healthz'),
]

const JSON_TYPE = 'application/json'
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'application/json;;;',
  'application/jsonp',
  'image/png',
  '*/*',
  '/',
]

/** Names things that are there, by the parameter of the path: otherwise every call would end at the first door. */
export type Known = (path: string, parameter: string) => string | undefined

/** Every naughty text in every parameter and every field, one at a time. */
export function* everyNaughtyRequest(
  { method, path, query, body }: Operation,
  known: Known,
  chance: Chance,
): Generator<HostileRequest> {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const filled = (naughty: string, text: string): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => (name === naughty ? text : (known(path, name) ?? 'x')))
  for (const text of NAUGHTY_PARTS) {
    for (const name of parameters) yield { method, path: filled(name, text), headers: {} }
    for (const name of query) yield { method, path: `${filled('', '')}?${name}=${text}`, headers: {} }
  }
  if (body)
    for (const payload of everyNaughtyBody(body, chance))
      yield { method, path: filled('', ''), headers: { 'content-type': JSON_TYPE }, payload }
}

/** As somebody would look who means no harm: what is shown then is judged as well. */
export const plainRequest = ({ method, path }: Operation, known: Known): HostileRequest => ({
  method,
  path: path.replace(/\{(\w+)\}/g, (_, name: string) => known(path, name) ?? 'x'),
  headers: {},
})

export function hostileRequest(
  { method, path, query, body }: Operation,
  known: Known,
  chance: Chance,
): HostileRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    chance() < 0.6 ? (known(path, parameter) ?? oneOf(chance, NAUGHTY_PARTS)) : oneOf(chance, NAUGHTY_PARTS),
  )
  const headers: Record<string, string> = {}
  if (chance() < 0.1) headers['idempotency-key'] = headerText(chance)
  if (chance() < 0.05) headers['x-forwarded-for'] = headerText(chance)
  if (chance() < 0.05) headers['accept'] = headerText(chance)
  const request = { method, path: `${filled}${hostileQuery(query, chance)}`, headers }
  if (method === 'GET' || (body === null && chance() < 0.5)) return request
  const isTyped = chance() < 0.9
  if (isTyped) headers['content-type'] = chance() < 0.9 ? JSON_TYPE : oneOf(chance, OTHER_TYPES)
  return { ...request, payload: hostileBody(body, chance) }
}

/** Node refuses other signs in a header before anybody sees them. */
const headerText = (chance: Chance): string =>
  oneOf(chance, NAUGHTY_TEXTS)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 4_000)

function hostileQuery(names: readonly string[], chance: Chance): string {
  if (chance() < (names.length > 0 ? 0.1 : 0.7)) return ''
  const asked = [...names, '__proto__', 'constructor', 'limit', 'cursor', 'next', 'a[b]']
  const name = names.length > 0 && chance() < 0.85 ? oneOf(chance, names) : oneOf(chance, asked)
  const value = oneOf(chance, NAUGHTY_PARTS)
  const way = chance()
  if (way < 0.1) return `?${name}=${value}&${name}=${value}`
  if (way < 0.15) return `?${name}[]=${value}`
  if (way < 0.2) return `?${name}`
  return `?${name}=${value}`
}
