import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from '../platform/http/security.ts'
import type { Secrets } from '../platform/secrets.ts'
import { cookieAttributes } from './sessions.ts'
import { REGISTRATION_HOURS } from './store/registrations.ts'

/** More than anyone makes who has mistyped something; the oldest make room. */
const ATTEMPTS_PER_BROWSER = 5
/** An hour longer than an attempt, for its last code may be asked for in its last minute. */
const HOURS = REGISTRATION_HOURS + 1

/**
 * Which attempts to sign up were made in this browser, as marks in a cookie that nobody else can make. Where several
 * have tried to sign up with one address, a code alone does not tell whose attempt its reader means to confirm.
 */
export type OwnAttempts = {
  remember(request: FastifyRequest, reply: FastifyReply, registrationId: string): void
  has(request: FastifyRequest, registrationId: string): boolean
}

export function createOwnAttempts({ secrets, publicUrl }: { secrets: Secrets; publicUrl: URL }): OwnAttempts {
  const cookie = cookieName(publicUrl, 'attempts')
  const markOf = (registrationId: string) => secrets.sign('attempt', registrationId).toString('base64url')
  const marksOf = (request: FastifyRequest) => request.cookies[cookie]?.split('.') ?? []

  return {
    remember(request, reply, registrationId) {
      const marks = [markOf(registrationId), ...marksOf(request)].slice(0, ATTEMPTS_PER_BROWSER)
      reply.setCookie(cookie, marks.join('.'), { ...cookieAttributes(publicUrl), maxAge: HOURS * 60 * 60 })
    },

    // Comparing plainly tells nothing: whoever knows a mark has it from having made the attempt.
    has: (request, registrationId) => marksOf(request).includes(markOf(registrationId)),
  }
}
