import type { FastifyInstance, FastifySchemaCompiler, FastifyTypeProvider } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { z } from 'zod'
import { namedEntry } from '../../../contract/refused-entries.ts'
import { AppError } from '../errors.ts'

/** Lets a route name zod schemas of the contract: they type it, check what comes in, and trim what goes out. */
export interface ContractTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

export function addContracts(app: FastifyInstance): void {
  app.setValidatorCompiler(validate)
  app.setSerializerCompiler(serialize)
}

const validate: FastifySchemaCompiler<z.ZodType> = ({ schema }) => {
  return (data) => {
    const result = schema.safeParse(data, { reportInput: true })
    return result.success ? { value: result.data } : { error: refusal(result.error) }
  }
}

const serialize: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  return (data) => JSON.stringify(schema.parse(data))
}

function refusal({ issues: [issue] }: z.ZodError): AppError {
  // Whoever limits a list says in the contract what to do with the rest.
  if (issue?.code === 'too_big' && issue.origin === 'array') return new AppError(413, issue.message)
  return new AppError(400, issue ? describe(issue) : 'The request does not have the expected form')
}

/** The first thing that is wrong, as a sentence that names the field. */
function describe(issue: z.core.$ZodIssue): string {
  const field =
    issue.path.length > 0 ? `The field ${namedEntry(issue.path.map(String).join('.'))}` : 'The request'
  return `${field} ${complaint(issue)}`
}

function complaint(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return `has an unknown entry ${namedEntry(String(issue.keys[0]))}`
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`
    case 'too_small':
      return `is too ${size(issue.origin, 'short', 'small')}: at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `is too ${size(issue.origin, 'long', 'large')}: at most ${issue.maximum}${unit(issue.origin)}`
    default:
      return 'does not have the expected form'
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
}
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }
const unit = (origin: string): string => UNITS[origin] ?? ''
const size = (origin: string, ofText: string, ofNumber: string): string =>
  origin === 'number' ? ofNumber : ofText
