import type { FastifyRequest } from 'fastify'
import { IDEMPOTENCY_KEY_HEADER } from '../../../contract/campaigns.ts'
import { AppError } from '../errors.ts'

/** As other APIs take them: 1 to 256 visible characters. */
export function idempotencyKeyIn({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const key = headers[IDEMPOTENCY_KEY_HEADER]
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x21-\x7e]{1,256}$/.test(key)) return key
  throw new AppError(400, 'The Idempotency-Key must have 1 to 256 visible characters and no spaces')
}
