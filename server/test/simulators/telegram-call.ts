import type { IncomingMessage } from 'node:http'
import { readBody } from '../loopback.ts'

export type TelegramCall = {
  /** From 1, over all methods. */
  number: number
  method: string
  /** As they came. */
  args: Record<string, unknown>
  /** `ignored`: a lie was told instead. Null while it is not over. */
  outcome: 'done' | 'refused' | 'ignored' | null
  /** Why it was refused. */
  description: string | null
}

/** In a form everything is text; these are meant to be. */
const TEXTS = new Set([
  'text',
  'caption',
  'parse_mode',
  'callback_query_id',
  'url',
  'secret_token',
  'file_id',
  'action',
  'language_code',
])

/** The arguments, whichever of the documented ways they came: JSON, a form of either kind, the query. */
export async function readCall(request: IncomingMessage, url: URL): Promise<Record<string, unknown>> {
  const body = await readBody(request)
  const query = fromForm([...url.searchParams])
  if (request.method === 'GET' || body.length === 0) return query
  const type = request.headers['content-type'] ?? ''
  if (/^application\/json/i.test(type)) return { ...query, ...parseObject(body.toString('utf8')) }
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return { ...query, ...fromForm(withFiles([...form])) }
}

type Field = [name: string, value: string | File]

/** grammY sends a file as a part of its own and names it in the argument: `attach://name`. */
function withFiles(fields: readonly Field[]): Field[] {
  const files = new Map(fields.filter(([, value]) => typeof value !== 'string'))
  const named = new Set<string>()
  const read = fields.map(([name, value]): Field => {
    const part = typeof value === 'string' ? /^attach:\/\/(.+)$/.exec(value)?.[1] : undefined
    const file = part === undefined ? undefined : files.get(part)
    if (part === undefined || !file) return [name, value]
    named.add(part)
    return [name, file]
  })
  return read.filter(([name]) => !named.has(name))
}

const fromForm = (fields: readonly Field[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      typeof value === 'string' && !TEXTS.has(name) ? parsed(value) : value,
    ]),
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function parseObject(text: string): Record<string, unknown> {
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
