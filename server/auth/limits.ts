import type { RateLimiter } from '../platform/rate-limit.ts'

/**
 * Who may try how often. An address can be shared by an office, an account can be attacked from many addresses: each
 * has its own bucket, and a browser that its owner has signed in with before has one that nobody else can empty.
 */
const SIGN_IN_DEVICE = { burst: 30, refillSeconds: 10 }
const SIGN_IN_ACCOUNT_FROM_ADDRESS = { burst: 10, refillSeconds: 20 }
const SIGN_IN_ACCOUNT = { burst: 50, refillSeconds: 20 }
const SIGN_IN_ADDRESS = { burst: 1200, refillSeconds: 1 }
const SIGN_UP_ADDRESS = { burst: 300, refillSeconds: 5 }
/** Codes and mails have allowances of their own; this only bounds the work that one caller can cause. */
const OTHER_ADDRESS = { burst: 2000, refillSeconds: 0.2 }

export type Attempt = { emailKey: string; address: string; device: string | null }

export type AuthLimits = {
  signIn(attempt: Attempt): Promise<void>
  /** After the account's own password, or a reset: earlier failures from this address no longer count. */
  forgive(attempt: Attempt): Promise<void>
  signUp(address: string): Promise<void>
  /** Codes, links and the mails that carry them. */
  other(address: string): Promise<void>
}

/** As JSON, so that no text somebody typed can end one part and begin the next. */
const keyOf = (...parts: string[]): string => JSON.stringify(parts)

export function createAuthLimits(limiter: RateLimiter): AuthLimits {
  const accountFromAddress = ({ emailKey, address }: Attempt) =>
    keyOf('sign-in account from address', emailKey, address)

  return {
    async signIn(attempt) {
      const { emailKey, address, device } = attempt
      if (device) return limiter.take(keyOf('sign-in device', device), SIGN_IN_DEVICE)
      await limiter.take(keyOf('sign-in address', address), SIGN_IN_ADDRESS)
      await limiter.take(accountFromAddress(attempt), SIGN_IN_ACCOUNT_FROM_ADDRESS)
      await limiter.take(keyOf('sign-in account', emailKey), SIGN_IN_ACCOUNT)
    },

    forgive: (attempt) => limiter.reset([accountFromAddress(attempt)]),
    signUp: (address) => limiter.take(keyOf('sign-up address', address), SIGN_UP_ADDRESS),
    other: (address) => limiter.take(keyOf('auth address', address), OTHER_ADDRESS),
  }
}
