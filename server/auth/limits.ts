import type { RateLimiter } from '../platform/rate-limit.ts'

/**
 * Who may try how often. An address can be shared by an office, an account can be attacked from many addresses: each
 * has its own bucket, and a browser that its owner has signed in with before has one that nobody else can empty.
 */
const SIGN_IN_DEVICE = { burst: 10, refillSeconds: 20 }
const SIGN_IN_ACCOUNT_FROM_ADDRESS = { burst: 10, refillSeconds: 20 }
const SIGN_IN_ACCOUNT = { burst: 50, refillSeconds: 20 }
const SIGN_IN_ADDRESS = { burst: 1200, refillSeconds: 1 }
const SIGN_UP_ADDRESS = { burst: 300, refillSeconds: 5 }
/** Codes and mails have allowances of their own; this only bounds the work that one caller can cause. */
const OTHER_ADDRESS = { burst: 2000, refillSeconds: 0.2 }

export type Attempt = { emailKey: string; address: string; device: string | null }

export type AuthLimits = {
  signIn(attempt: Attempt): Promise<void>
  /** After a right password, or a reset: earlier failures no longer count. */
  forgive(attempt: Attempt): Promise<void>
  signUp(address: string): Promise<void>
  /** Codes, links and the mails that carry them. */
  other(address: string): Promise<void>
}

export function createAuthLimits(limiter: RateLimiter): AuthLimits {
  const deviceKey = (device: string) => `sign-in device ${device}`
  const accountKey = ({ emailKey }: Attempt) => `sign-in account ${emailKey}`
  const accountFromAddressKey = ({ emailKey, address }: Attempt) =>
    `sign-in account ${emailKey} from ${address}`

  return {
    async signIn(attempt) {
      if (attempt.device) return limiter.take(deviceKey(attempt.device), SIGN_IN_DEVICE)
      await limiter.take(`sign-in from ${attempt.address}`, SIGN_IN_ADDRESS)
      await limiter.take(accountFromAddressKey(attempt), SIGN_IN_ACCOUNT_FROM_ADDRESS)
      await limiter.take(accountKey(attempt), SIGN_IN_ACCOUNT)
    },

    forgive: (attempt) =>
      limiter.reset([...(attempt.device ? [deviceKey(attempt.device)] : []), accountFromAddressKey(attempt)]),

    signUp: (address) => limiter.take(`sign-up from ${address}`, SIGN_UP_ADDRESS),
    other: (address) => limiter.take(`auth from ${address}`, OTHER_ADDRESS),
  }
}
