import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isPrivate, ownedRange, plainAddress } from '../network-address.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For callers that are no browser of ours (webhooks, one-click unsubscribe): they prove themselves otherwise. */
    allowForeignOrigin?: boolean
  }
}

/** Browsers keep `__Host-` and Secure cookies from plain http, some even on localhost: there the plain name must do. */
export const cookieName = (publicUrl: URL, name: string): string =>
  `${publicUrl.protocol === 'https:' ? '__Host-' : ''}postrider_${name}`
export const sessionCookieName = (publicUrl: URL): string => cookieName(publicUrl, 'session')

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const API_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** The application's own page may load files of this origin and nothing else; `nonce` is for the styles it makes. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

export function addSecurity(app: FastifyInstance, publicUrl: URL): void {
  app.addHook('onRequest', async (request, reply) => {
    setSecurityHeaders(reply, publicUrl)
    if (!READING.has(request.method) && !request.routeOptions.config.allowForeignOrigin)
      refuseForeignOrigin(request, publicUrl)
  })
}

/**
 * A write counts only when the browser says that our own page makes it. SameSite cookies alone do not hold against a
 * sibling subdomain, and a client that names no origin at all is no browser page of ours.
 */
function refuseForeignOrigin(request: FastifyRequest, publicUrl: URL): void {
  const site = request.headers['sec-fetch-site']
  const origin = request.headers.origin
  const isOurs = site === undefined ? origin === publicUrl.origin : site === 'same-origin'
  if (isOurs) return
  throw new AppError(
    403,
    `This request does not come from ${publicUrl.origin}; open Postrider there and try again`,
  )
}

export function setSecurityHeaders(reply: FastifyReply, publicUrl: URL): void {
  reply.headers({
    'content-security-policy': API_POLICY,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Reset and verification links carry a token in their address: it never leaves with a click.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cache-control': 'no-store',
  })
  if (publicUrl.protocol === 'https:')
    reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}

/**
 * Who is calling, for limits by address. Behind a reverse proxy (a public https URL, and a caller from a private
 * network) it is the last entry of X-Forwarded-For, the one that the proxy itself wrote; what the client put before it
 * is not believed. An IPv6 caller counts by its /64, which one person owns whole.
 */
export function clientAddress(request: FastifyRequest, publicUrl: URL): string {
  const peer = plainAddress(request.socket.remoteAddress ?? '') ?? 'nobody'
  const forwarded = request.headers['x-forwarded-for']
  const last = [forwarded].flat().at(-1)?.split(',').at(-1) ?? ''
  const isBehindProxy = publicUrl.protocol === 'https:' && isPrivate(peer)
  return ownedRange((isBehindProxy && plainAddress(last)) || peer)
}

/** The name that the caller asked for, without its port; empty where it names none. */
export function askedHost({ host }: FastifyRequest['headers']): string {
  return host && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

const FORWARDING = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'via',
]

/** A proxy that passes on what comes from outside says so. */
export const isForwarded = (headers: FastifyRequest['headers']): boolean =>
  FORWARDING.some((header) => headers[header] !== undefined)
