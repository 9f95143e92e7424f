import { useQuery } from '@tanstack/react-query'
import {
  type ForgotPasswordRequest,
  type LoginRequest,
  type RegisterRequest,
  type RegisterResponse,
  type ResetPasswordRequest,
  type Session,
  VERIFY_USER_HEADER,
  type VerifyRequest,
} from '../../contract/auth.ts'
import { readRegistration, readSession } from './auth-answers.ts'
import { ApiError, apiRequest, readJson, sessionKey, WHO_IS_THERE } from './client.ts'
import { finishDeferred } from './deferred.ts'
import { setLeaving, setPageUser } from './page-session.ts'

/** Any refusal means signed out; no answer at all is an error, for then nobody knows. */
async function fetchSession(): Promise<Session | null> {
  try {
    const response = await apiRequest('GET', WHO_IS_THERE)
    const session = readSession(await readJson(response))
    setPageUser(session.user.id)
    return session
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: fetchSession })
}

export async function register(account: RegisterRequest): Promise<RegisterResponse> {
  const response = await apiRequest('POST', '/api/auth/register', account)
  return readRegistration(await readJson(response))
}

export async function logIn(credentials: LoginRequest): Promise<void> {
  await apiRequest('POST', '/api/auth/login', credentials)
}

/** The account to verify first, when that is why a sign-in was refused. */
export function unverifiedUserOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 403) return null
  return error.headers.get(VERIFY_USER_HEADER)
}

export async function verifyEmail(request: VerifyRequest): Promise<Session> {
  const response = await apiRequest('POST', '/api/auth/verify', request)
  return readSession(await readJson(response))
}

export async function resendVerification(userId: string): Promise<void> {
  await apiRequest('POST', '/api/auth/resend-verification', { userId })
}

export async function requestPasswordReset(request: ForgotPasswordRequest): Promise<void> {
  await apiRequest('POST', '/api/auth/forgot-password', request)
}

/** Refused for good (unknown, used, expired) is false; a busy or absent server is an error. */
async function checkResetToken(token: string): Promise<boolean> {
  try {
    await apiRequest('GET', `/api/auth/reset-password/${encodeURIComponent(token)}`)
    return true
  } catch (error) {
    const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429
    if (isFinal) return false
    throw error
  }
}

export function useResetToken(token: string) {
  return useQuery({
    queryKey: ['/api/auth/reset-password', token],
    queryFn: () => checkResetToken(token),
    enabled: token !== '',
    // A link works once: its earlier answer must not outlive the screen.
    gcTime: 0,
  })
}

export async function resetPassword(request: ResetPasswordRequest): Promise<void> {
  await apiRequest('POST', '/api/auth/reset-password', request)
}

export async function logOut(): Promise<void> {
  // What was promised under this session cannot be done after it.
  await finishDeferred()
  setLeaving(true)
  try {
    await apiRequest('POST', '/api/auth/logout', {})
  } catch (error) {
    setLeaving(false)
    throw error
  }
  // Whoever comes back to this page finds it as it was left.
  window.addEventListener('pagehide', () => setLeaving(false), { once: true })
}
