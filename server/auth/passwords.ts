import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN } from '../../contract/auth.ts'
import { AppError, tooManyRequests } from '../platform/errors.ts'
import { createTurnstile } from '../platform/turnstile.ts'

/** By OWASP ASVS 11.4.2. Each hash under way holds 46 MiB, which is why only a few may be. */
const MEMORY_KIB = 47_104
const AT_ONCE = Math.min(4, availableParallelism())
const AGAIN_SECONDS = 5

/** The list is sorted by how often people use each: these are the 3,000 most common that are long enough. */
const COMMON = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN).slice(0, 3_000),
)

export type Passwords = {
  /** `client` is on whose behalf: nobody's queue holds up another's. */
  hash(secret: string, client: string): Promise<string>
  /** Takes the same time whether there is something to compare with or not. */
  matches(secret: string, stored: string | null, client: string): Promise<boolean>
}

export function createPasswords(memoryCost = MEMORY_KIB): Passwords {
  const inTurn = createTurnstile({ width: AT_ONCE, refusal })
  // Argon2id is the library's default.
  const cost = { memoryCost, timeCost: 1, parallelism: 1 } satisfies Options
  // What is compared with when there is no account: of the same cost, with a salt and a hash of zeros that nobody has.
  const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  return {
    hash: (secret, client) => inTurn(client, () => hash(secret, cost)),
    async matches(secret, stored, client) {
      const isMatch = await inTurn(client, () => verify(stored ?? decoy, secret, cost))
      return isMatch && stored !== null
    },
  }
}

/** Who has waited behind others of their own has brought too many, however busy everybody else is. */
const refusal = (isBehindOwn: boolean): AppError =>
  isBehindOwn
    ? tooManyRequests(AGAIN_SECONDS)
    : new AppError(503, 'Too many people are signing in at this moment. Please try again in a few seconds', {
        headers: { 'retry-after': String(AGAIN_SECONDS) },
      })

export function refuseCommonPassword(password: string): void {
  if (COMMON.has(password.toLowerCase()))
    throw new AppError(
      400,
      'This password is among the most common ones and easily guessed. Please choose another',
    )
}
