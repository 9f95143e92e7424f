import { between } from '../chance.ts'
import { EXTRA_FIELDS, HOSTILE_VALUES, NAUGHTY_TEXTS, written } from './hostile-values.ts'

/** As much of JSON Schema as the contract makes use of. */
export type Schema = {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  format?: string
  minLength?: number
  minimum?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: unknown
}

export type Chance = () => number

export const oneOf = <T>(chance: Chance, list: readonly T[]): T => {
  const value = list[Math.floor(chance() * list.length)]
  if (value === undefined && list.length === 0) throw new Error('there is nothing to choose from')
  return value as T
}

/** What a person would send by the name of the field, where a schema cannot say it. */
const BY_NAME: Readonly<Record<string, string>> = {
  email: 'ann@example.test',
  password: 'correct horse battery',
  fromEmail: 'ann@example.test',
  replyTo: 'ann@example.test',
  recipients: 'bob@example.test',
  addresses: 'bob@example.test',
  entries: 'bob@example.test',
  provider: 'smtp',
  // Refused before anybody is asked where it is.
  smtpHost: '127.0.0.1',
}

/** A value that keeps to its schema, so that one wrong place in it is not hidden behind another. */
function rightValue(schema: Schema, chance: Chance, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.includes(BY_NAME[name]) ? BY_NAME[name] : oneOf(chance, schema.enum)
  if (schema.anyOf) return rightValue(oneOf(chance, schema.anyOf), chance, name)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key]) => schema.required?.includes(key) || chance() < 0.7)
          .map(([key, inner]) => [key, rightValue(inner, chance, key)]),
      )
    case 'array':
      return Array.from({ length: between(chance, 1, 3) }, () => rightValue(schema.items ?? {}, chance, name))
    case 'boolean':
      return chance() < 0.5
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'null':
      return null
    default:
      if (schema.format === 'uuid') return '11111111-1111-4111-8111-111111111111'
      return BY_NAME[name] ?? 'x'.repeat(Math.max(1, schema.minLength ?? 1))
  }
}

type Place = readonly (string | number)[]

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesIn(inner, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

/** `value` with what stands at `place` changed; undefined takes it away. */
function changedAt(value: unknown, [step, ...rest]: Place, change: (old: unknown) => unknown): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((inner, index) => (index === step ? changedAt(inner, rest, change) : inner))
  return Object.fromEntries(
    Object.entries(value as object)
      .map(([key, inner]) => [key, key === step ? changedAt(inner, rest, change) : inner])
      .filter(([, inner]) => inner !== undefined),
  )
}

const withField = (value: unknown, name: string, field: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? // Not an assignment: `__proto__` shall be a field like any other.
      Object.fromEntries([...Object.entries(value), [name, field]])
    : value

/** JSON of the right form but for one thing, which is wrong or hostile. */
function wrongInOnePlace(right: unknown, chance: Chance): string {
  const place = oneOf(chance, placesIn(right))
  const way = chance()
  if (way < 0.45) return written(changedAt(right, place, () => oneOf(chance, NAUGHTY_TEXTS)))
  if (way < 0.75) return written(changedAt(right, place, () => oneOf(chance, HOSTILE_VALUES)))
  if (way < 0.85) return written(changedAt(right, place, () => undefined))
  const name = oneOf(chance, EXTRA_FIELDS)
  return written(changedAt(right, place, (old) => withField(old, name, oneOf(chance, HOSTILE_VALUES))))
}

/** Every naughty text in every place of a body that is right otherwise. */
export function* everyNaughtyBody(schema: Schema, chance: Chance): Generator<Buffer> {
  const right = rightValue(schema, chance)
  for (const place of placesIn(right))
    for (const text of NAUGHTY_TEXTS) yield Buffer.from(written(changedAt(right, place, () => text)))
}

/** Bytes that are no JSON, or a kind of JSON that nobody means. */
function broken(right: unknown, chance: Chance): Buffer {
  const text = written(right)
  const half = text.slice(0, Math.floor(chance() * text.length))
  const texts = [
    '',
    ' ',
    half,
    `${half}\u0000`,
    `${text}${text}`,
    `${text}]`,
    `\ufeff${text}`,
    text.replaceAll('"', "'"),
    text.replace('{', '{"a":1,"a":2,'),
    text.replace('{', '{/* a word */'),
    '['.repeat(50_000),
    '{"a":'.repeat(20_000),
    '-',
    '1e',
    '9'.repeat(1_000),
    'NaN',
    '"\\ud800"',
    '"\\u00"',
    'null',
    'true',
    '[]',
    '""',
  ]
  const bytes = [
    Buffer.concat([Buffer.from(half), Buffer.from([0xff, 0xfe, 0xc0, 0xaf]), Buffer.from('"}')]),
    Buffer.from(text.replace(/"(?=[:,}])/, '\ufffd"'), 'latin1'),
    Buffer.from(text, 'utf16le'),
    Buffer.from([0x1f, 0x8b, 8, 0]),
  ]
  return chance() < 0.8 ? Buffer.from(oneOf(chance, texts)) : oneOf(chance, bytes)
}

/** A body that somebody could send who means harm, or whose program is wrong. */
export function hostileBody(schema: Schema | null, chance: Chance): Buffer {
  const right = rightValue(schema ?? { type: 'object' }, chance)
  const way = chance()
  if (way < 0.15) return broken(right, chance)
  return Buffer.from(way < 0.2 ? written(right) : wrongInOnePlace(right, chance))
}
