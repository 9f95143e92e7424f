import type { FastifyRequest } from 'fastify'
import { type LoginRequest, VERIFY_USER_HEADER } from '../../contract/auth.ts'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import type { AuthLimits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import * as store from './store.ts'

type Dependencies = { db: Database; passwords: Passwords; limits: AuthLimits; sessions: Sessions }

/** Compares the password once, whoever asks, and tells what is wrong only to someone who knows it. */
export const createSignIn =
  ({ db, passwords, limits, sessions }: Dependencies) =>
  async (
    request: FastifyRequest,
    { email, password }: LoginRequest,
    address: string,
  ): Promise<store.User> => {
    // Something that is no address has no account; it takes the same way as an address without one.
    const emailKey = parseMailAddress(email)?.key ?? email.toLowerCase()
    const found = await store.findCredentials(db, emailKey)
    const attempt = { emailKey, address, device: found ? sessions.knownDevice(request, found.id) : null }
    await limits.signIn(attempt)
    const isRight = await passwords.matches(password, found?.passwordHash ?? null)
    if (!found || !isRight) throw new AppError(401, 'Invalid email or password')
    await limits.forgive(attempt)
    if (found.kind === 'registration')
      throw new AppError(403, 'Please verify your email address first. We can send you a new code', {
        headers: { [VERIFY_USER_HEADER]: found.id },
      })
    return { id: found.id, email: found.email }
  }
