import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_USER_HEADER } from '../../contract/auth.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { cookieName, sessionCookieName } from '../platform/http/security.ts'
import { hashToken, randomToken, type Secrets, sameBytes } from '../platform/secrets.ts'
import type { Owner, User } from './store/accounts.ts'
import * as store from './store/sessions.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route needs a session unless it says `public`. */
    access?: 'public' | 'session'
  }
  interface FastifyRequest {
    /** Who is signed in. Null on public routes. */
    user: User | null
  }
}

const DAY_SECONDS = 24 * 60 * 60

/** What every cookie of an account has in common. */
export const cookieAttributes = (publicUrl: URL): CookieSerializeOptions => ({
  path: '/',
  httpOnly: true,
  secure: publicUrl.protocol === 'https:',
  sameSite: 'strict',
})

/**
 * A session is a random token in a cookie and its hash in the database. A device token remembers that this browser has
 * signed in to an account before: guessing from elsewhere can then never use up the owner's own attempts.
 */
export type Sessions = {
  /** A new token every time; what the browser held before ends. */
  begin(tx: Transaction, request: FastifyRequest, owner: Owner): Promise<(reply: FastifyReply) => void>
  find(request: FastifyRequest): Promise<User | null>
  /** Unless the page was opened for another than whose session it is. */
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The id of this browser, if it is known to have signed in to the account. */
  knownDevice(request: FastifyRequest, owner: Owner): string | null
  rememberDevice(request: FastifyRequest, reply: FastifyReply, owner: Owner): void
}

export function createSessions({
  db,
  secrets,
  publicUrl,
}: {
  db: Database
  secrets: Secrets
  publicUrl: URL
}): Sessions {
  const sessionCookie = sessionCookieName(publicUrl)
  const deviceCookie = cookieName(publicUrl, 'device')
  const attributes = cookieAttributes(publicUrl)

  const tokenHashOf = (request: FastifyRequest): string | null => {
    const token = request.cookies[sessionCookie]
    return token ? hashToken(token) : null
  }
  // Bound to the password as well: a new password forgets every device that knew the old one.
  const deviceSignature = ({ id, passwordHash }: Owner, device: string) =>
    secrets.sign('device', `${id}.${passwordHash}.${device}`)

  const knownDevice: Sessions['knownDevice'] = (request, owner) => {
    const [device, signature] = request.cookies[deviceCookie]?.split('.') ?? []
    if (!device || !signature) return null
    const isGenuine = sameBytes(Buffer.from(signature, 'base64url'), deviceSignature(owner, device))
    return isGenuine ? device : null
  }

  const rememberDevice: Sessions['rememberDevice'] = (request, reply, owner) => {
    // A browser stays the device it is: signing in again does not buy fresh attempts.
    const device = knownDevice(request, owner) ?? randomToken()
    const value = `${device}.${deviceSignature(owner, device).toString('base64url')}`
    reply.setCookie(deviceCookie, value, { ...attributes, maxAge: 365 * DAY_SECONDS })
  }

  const find: Sessions['find'] = async (request) => {
    const tokenHash = tokenHashOf(request)
    const session = tokenHash ? await store.findSession(db, tokenHash) : null
    if (tokenHash && session?.isStale) await store.touchSession(db, tokenHash)
    return session?.user ?? null
  }

  return {
    async begin(tx, request, owner) {
      const previous = tokenHashOf(request)
      if (previous) await store.deleteSession(tx, previous)
      const token = randomToken()
      await store.insertSession(tx, hashToken(token), owner.id)
      return (reply) => {
        reply.setCookie(sessionCookie, token, { ...attributes, maxAge: store.SESSION_DAYS * DAY_SECONDS })
        rememberDevice(request, reply, owner)
      }
    },

    async end(request, reply) {
      const user = await find(request)
      // Whoever the page was opened for is signed out by now; the session is somebody else's.
      if (user && isOfAnother(request, user)) return
      const tokenHash = tokenHashOf(request)
      if (tokenHash) await store.deleteSession(db, tokenHash)
      reply.clearCookie(sessionCookie, attributes)
    },

    find,
    knownDevice,
    rememberDevice,
  }
}

const notSignedIn = (): AppError => new AppError(401, 'You are not signed in')
const signedInAsAnother = (): AppError =>
  new AppError(409, 'Another account is signed in now than when this page was opened, so nothing was done')

/** The user of a route that needs a session: the hook below has let nobody else through. */
export function userOf(request: FastifyRequest): User {
  if (!request.user) throw notSignedIn()
  return request.user
}

/** Looks at every request before its body is read; a route that says nothing is closed. */
export const requireSession =
  (sessions: Sessions) =>
  async (request: FastifyRequest): Promise<void> => {
    if (request.is404 || request.routeOptions.config.access === 'public') return
    request.user = await sessions.find(request)
    if (!request.user) throw notSignedIn()
    if (isOfAnother(request, request.user)) throw signedInAsAnother()
  }

/** Whether the page that asks says that it was opened for another user. */
function isOfAnother(request: FastifyRequest, user: User): boolean {
  const pageUser = request.headers[PAGE_USER_HEADER]
  return pageUser !== undefined && pageUser !== user.id
}
