import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'
import { sessionCookieName } from './security.ts'

type Operation = { method: string; url: string; schema: FastifySchema; isPublic: boolean }

/** Collects every route that names its contract, and tells of them at /api/openapi.json. */
export function addOpenApi(
  app: FastifyInstance,
  { publicUrl, version }: { publicUrl: URL; version: string },
): void {
  const operations: Operation[] = []
  let text: string | null = null

  app.addHook('onRoute', ({ method, url, schema = {}, config }) => {
    if (!url.startsWith('/api/') || url.includes('*')) return
    const isPublic = config?.access === 'public'
    for (const name of [method].flat())
      if (name !== 'HEAD') operations.push({ method: name, url, schema, isPublic })
  })

  app.get('/api/openapi.json', { config: { access: 'public' } }, (_request, reply) => {
    text ??= JSON.stringify(describe(operations, publicUrl, version))
    return reply.type('application/json').send(text)
  })
}

function describe(operations: Operation[], publicUrl: URL, version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = operation.url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Postrider', version },
    servers: [{ url: publicUrl.origin }],
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl) } },
    },
    security: [{ session: [] }],
    paths,
  }
}

function describeOperation({ url, schema, isPublic }: Operation): object {
  const responses = (schema.response ?? {}) as Record<string, unknown>
  return {
    ...(isPublic ? { security: [] } : {}),
    parameters: [
      ...[...url.matchAll(/:(\w+)/g)].map(([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...queryParameters(schema.querystring),
    ],
    ...(isZod(schema.body)
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(schema.body, 'input') } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, body]) => [
          status,
          {
            description: 'The answer',
            ...(isZod(body)
              ? { content: { 'application/json': { schema: jsonSchema(body, 'output') } } }
              : {}),
          },
        ]),
      ),
      default: {
        description: 'One plain sentence that says what is wrong',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  }
}

function queryParameters(schema: unknown): object[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: described,
  }))
}

const isZod = (schema: unknown): schema is z.ZodType => schema instanceof z.ZodType
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): object => z.toJSONSchema(schema, { io })
