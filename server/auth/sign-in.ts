import type { FastifyReply, FastifyRequest } from 'fastify'
import { type LoginRequest, VERIFY_USER_HEADER } from '../../contract/auth.ts'
import type { Database } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { parseMailAddress } from '../platform/mail-address.ts'
import type { AuthLimits } from './limits.ts'
import type { Passwords } from './passwords.ts'
import type { Sessions } from './sessions.ts'
import { findOwner, holdPassword, type User } from './store/accounts.ts'
import { findLatestAttempt } from './store/registrations.ts'

type Dependencies = { db: Database; passwords: Passwords; limits: AuthLimits; sessions: Sessions }

const wrong = () => new AppError(401, 'Invalid email or password')

/**
 * The password is compared with the account and with the latest attempt to make one, always both, with a decoy where
 * one is missing. So neither the time nor the answer tells whether an account exists: who signs up with an address and
 * then signs in with the password just chosen is sent to the code either way.
 */
export const createSignIn =
  ({ db, passwords, limits, sessions }: Dependencies) =>
  async (
    request: FastifyRequest,
    { email, password }: LoginRequest,
    address: string,
  ): Promise<{ user: User; setCookies: (reply: FastifyReply) => void }> => {
    // Something that is no address has no account; it takes the same way as an address without one.
    const emailKey = parseMailAddress(email)?.key ?? email.toLowerCase()
    const account = await findOwner(db, emailKey)
    const attempt = await findLatestAttempt(db, emailKey)
    const device = account ? sessions.knownDevice(request, account) : null
    const limited = { emailKey, address, device }
    await limits.signIn(limited)

    const [isAccount, isAttempt] = await Promise.all([
      passwords.matches(password, account?.passwordHash ?? null, address),
      passwords.matches(password, attempt?.passwordHash ?? null, address),
    ])
    if (!isAccount && !isAttempt) throw wrong()
    // Anyone can register with any address: a password of one's own making must not win the next ten attempts on it.
    // Also where there is no account, since fresh attempts would tell that there is none.
    if (isAccount) await limits.forgive(limited)
    if (!account || !isAccount)
      throw new AppError(403, 'Please verify your email address first. We can send you a new code', {
        headers: { [VERIFY_USER_HEADER]: attempt?.id ?? '' },
      })

    return db.transaction().execute(async (tx) => {
      // The password may have been reset while we were comparing: then it no longer opens anything.
      if (!(await holdPassword(tx, account))) throw wrong()
      const setCookies = await sessions.begin(tx, request, account)
      return { user: { id: account.id, email: account.email }, setCookies }
    })
  }
