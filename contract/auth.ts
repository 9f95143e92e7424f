import { z } from 'zod'

export const PASSWORD_MIN = 8
/** Long pass phrases are welcome; the limit only keeps a megabyte of text out of the hash. */
const PASSWORD_MAX = 1024
export const CODE_DIGITS = 6

/** As typed: what counts as the same mailbox is decided in one place on the server. */
const EmailAddress = z
  .string()
  .trim()
  .min(3)
  .max(254)
  .regex(/^\P{Cc}*$/u)
const NewPassword = z.string().min(PASSWORD_MIN).max(PASSWORD_MAX)

export const RegisterRequest = z.strictObject({ email: EmailAddress, password: NewPassword })
export type RegisterRequest = z.infer<typeof RegisterRequest>

export const RegisterResponse = z.object({ userId: z.string() })
export type RegisterResponse = z.infer<typeof RegisterResponse>

export const LoginRequest = z.strictObject({
  email: EmailAddress,
  password: z.string().min(1).max(PASSWORD_MAX),
})
export type LoginRequest = z.infer<typeof LoginRequest>

/**
 * A right password for an account whose address is still unverified is answered 403; this header then names
 * the userId with which the browser opens the verify screen.
 */
export const VERIFY_USER_HEADER = 'x-verify-user-id'

/**
 * All tabs of a browser share one session, and a page may be older than it. A page that names in this header whom it was
 * loaded for is answered 409, and nothing is done, when somebody else is signed in by then. Signing out is answered as
 * done then, and leaves the other signed in. The header may be left out.
 */
export const PAGE_USER_HEADER = 'x-page-user-id'

export const VerifyRequest = z.strictObject({
  userId: z.uuid(),
  code: z.string().regex(new RegExp(`^\\d{${CODE_DIGITS}}$`)),
})
export type VerifyRequest = z.infer<typeof VerifyRequest>

export const ResendVerificationRequest = z.strictObject({ userId: z.uuid() })
export type ResendVerificationRequest = z.infer<typeof ResendVerificationRequest>

export const ForgotPasswordRequest = z.strictObject({ email: EmailAddress })
export type ForgotPasswordRequest = z.infer<typeof ForgotPasswordRequest>

export const ResetPasswordRequest = z.strictObject({
  token: z.string().min(1).max(200),
  password: NewPassword,
})
export type ResetPasswordRequest = z.infer<typeof ResetPasswordRequest>

export const Message = z.object({ message: z.string() })
export type Message = z.infer<typeof Message>

export const Session = z.object({ user: z.object({ id: z.string(), email: z.string() }) })
export type Session = z.infer<typeof Session>
