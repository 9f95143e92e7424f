import { availableParallelism } from 'node:os'
import { hash, type Options, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { PASSWORD_MIN } from '../../contract/auth.ts'
import { AppError } from '../platform/errors.ts'

/** Argon2id (the library's default), sized by OWASP ASVS 11.4.2. Each hash under way holds 46 MiB, which is why only a few may be. */
const ARGON2: Options = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }
const AT_ONCE = Math.min(4, availableParallelism())
/** About fifteen seconds of hashing on two cores: who comes later is better off trying again. */
const QUEUE_LIMIT = 1_000

/** The list is sorted by how often people use each: these are the 3,000 most common that are long enough. */
const COMMON = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= PASSWORD_MIN).slice(0, 3_000),
)

export type Passwords = {
  hash(secret: string): Promise<string>
  /** Takes the same time whether there is something to compare with or not. */
  matches(secret: string, stored: string | null): Promise<boolean>
}

export async function createPasswords(): Promise<Passwords> {
  const inTurn = createTurnstile(AT_ONCE, QUEUE_LIMIT)
  const decoy = await hash('no password of anybody', ARGON2)

  return {
    hash: (secret) => inTurn(() => hash(secret, ARGON2)),
    async matches(secret, stored) {
      const isMatch = await inTurn(() => verify(stored ?? decoy, secret, ARGON2))
      return isMatch && stored !== null
    },
  }
}

export function refuseCommonPassword(password: string): void {
  if (COMMON.has(password.toLowerCase()))
    throw new AppError(
      400,
      'This password is among the most common ones and easily guessed. Please choose another',
    )
}

type Turnstile = <T>(work: () => Promise<T>) => Promise<T>

/** Lets `width` through at a time; the others wait, up to a limit. */
export function createTurnstile(width: number, limit: number): Turnstile {
  const waiting: (() => void)[] = []
  let inside = 0

  return async (work) => {
    if (waiting.length >= limit)
      throw new AppError(
        503,
        'Too many people are signing in at this moment. Please try again in a few seconds',
        {
          headers: { 'retry-after': '5' },
        },
      )
    if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    else inside += 1
    try {
      return await work()
    } finally {
      // The place is handed on, not freed: nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else inside -= 1
    }
  }
}
