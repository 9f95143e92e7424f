import { z } from 'zod'
import {
  ForgotPasswordRequest,
  LoginRequest,
  Message,
  RegisterRequest,
  RegisterResponse,
  ResendVerificationRequest,
  ResetPasswordRequest,
  Session,
  VerifyRequest,
} from '../../contract/auth.ts'
import { notFound } from '../platform/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { clientAddress } from '../platform/http/security.ts'
import type { AuthLimits } from './limits.ts'
import type { OwnAttempts } from './own-attempts.ts'
import type { PasswordResets } from './password-reset.ts'
import type { Registrations } from './registration.ts'
import { type Sessions, userOf } from './sessions.ts'
import type { createSignIn } from './sign-in.ts'

type Dependencies = {
  registrations: Registrations
  resets: PasswordResets
  signIn: ReturnType<typeof createSignIn>
  sessions: Sessions
  attempts: OwnAttempts
  limits: AuthLimits
  publicUrl: URL
}

const PUBLIC = { access: 'public' } as const

export function authRoutes(app: Http, dependencies: Dependencies): void {
  const { registrations, resets, signIn, sessions, attempts, limits, publicUrl } = dependencies

  app.get('/api/auth/session', { schema: { response: { 200: Session } } }, (request) => ({
    user: userOf(request),
  }))

  app.post(
    '/api/auth/register',
    { config: PUBLIC, schema: { body: RegisterRequest, response: { 200: RegisterResponse } } },
    async (request, reply) => {
      const client = clientAddress(request, publicUrl)
      await limits.signUp(client)
      const registered = await registrations.register(request.body, client)
      attempts.remember(request, reply, registered.userId)
      return registered
    },
  )

  app.post(
    '/api/auth/verify',
    { config: PUBLIC, schema: { body: VerifyRequest, response: { 200: Session } } },
    async (request, reply) => {
      const client = clientAddress(request, publicUrl)
      await limits.other(client)
      const caller = { client, isOwn: attempts.has(request, request.body.userId) }
      const { user, setCookies } = await registrations.verify(request.body, caller, async (tx, owner) => ({
        user: { id: owner.id, email: owner.email },
        setCookies: await sessions.begin(tx, request, owner),
      }))
      setCookies(reply)
      return { user }
    },
  )

  app.post(
    '/api/auth/resend-verification',
    { config: PUBLIC, schema: { body: ResendVerificationRequest, response: { 200: Message } } },
    async (request) => {
      await limits.other(clientAddress(request, publicUrl))
      await registrations.sendCodeAgain(request.body.userId)
      return { message: 'If this account waits for verification, a new code has been sent.' }
    },
  )

  app.post(
    '/api/auth/login',
    { config: PUBLIC, schema: { body: LoginRequest, response: { 200: Session } } },
    async (request, reply) => {
      const { user, setCookies } = await signIn(request, request.body, clientAddress(request, publicUrl))
      setCookies(reply)
      return { user }
    },
  )

  app.post(
    '/api/auth/logout',
    { config: PUBLIC, schema: { body: z.strictObject({}), response: { 200: Message } } },
    async (request, reply) => {
      await sessions.end(request, reply)
      return { message: 'You are signed out.' }
    },
  )

  app.post(
    '/api/auth/forgot-password',
    { config: PUBLIC, schema: { body: ForgotPasswordRequest, response: { 200: Message } } },
    async (request) => {
      await limits.other(clientAddress(request, publicUrl))
      await resets.request(request.body.email)
      return { message: 'If an account exists with that email, a password reset link has been sent.' }
    },
  )

  app.get(
    '/api/auth/reset-password/:token',
    { config: PUBLIC, schema: { params: z.object({ token: z.string() }), response: { 200: Message } } },
    async (request) => {
      await limits.other(clientAddress(request, publicUrl))
      if (!(await resets.isValid(request.params.token))) throw notFound('reset link')
      return { message: 'This reset link is valid.' }
    },
  )

  app.post(
    '/api/auth/reset-password',
    { config: PUBLIC, schema: { body: ResetPasswordRequest, response: { 200: Message } } },
    async (request, reply) => {
      const address = clientAddress(request, publicUrl)
      await limits.other(address)
      const owner = await resets.reset(request.body, address)
      await limits.forgive({ emailKey: owner.emailKey, address, device: null })
      sessions.rememberDevice(request, reply, owner)
      return { message: 'Your password has been reset.' }
    },
  )
}
