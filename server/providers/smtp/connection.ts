import type { Socket } from 'node:net'
import { type Dial, DialError } from '../../platform/dialer.ts'
import { providersWords } from '../providers-words.ts'
import { type Capabilities, NO_CAPABILITIES, readCapabilities } from './capabilities.ts'
import { wordsOf } from './outcomes.ts'
import type { Reply } from './replies.ts'
import { secured } from './secure.ts'
import { type Credentials, secretsOf, signIn } from './sign-in.ts'
import { ask, ConnectionFailure, createWire, type Wire } from './wire.ts'

/**
 * `implicit`: TLS from the first byte. `starttls-required`: no mail and no password before TLS.
 * `starttls-if-offered`: may stay in the clear, password and all; only for a relay on this machine, and for hosts that
 * the operator names as his own (ALLOW_PRIVATE_HOSTS).
 */
export type Security = 'implicit' | 'starttls-required' | 'starttls-if-offered'

export type Access = {
  host: string
  security: Security
  auth: Credentials | null
  rejectUnauthorized: boolean
  ehloName: string
  dial: Dial
  timeouts: { connectMs: number; replyMs: number }
}

/** A relay that is ready for mail. */
export type Connection = { wire: Wire; capabilities: Capabilities }

/** Connects, greets, encrypts and signs in; or says why that did not work. Whatever fails here is about no mail. */
export async function openConnection(
  access: Access,
  signal: AbortSignal,
): Promise<Connection | { reason: string }> {
  const wires: Wire[] = []
  const endAll = () => {
    for (const wire of wires) wire.end('Stopped')
  }
  signal.addEventListener('abort', endAll)
  try {
    return await handshake(access, signal, (socket) => {
      const wire = createWire(socket)
      wires.push(wire)
      if (signal.aborted) endAll()
      return wire
    })
  } catch (error) {
    endAll()
    if (error instanceof ConnectionFailure)
      return { reason: providersWords(error.message, secretsOf(access.auth)) }
    throw error
  } finally {
    signal.removeEventListener('abort', endAll)
  }
}

async function handshake(
  access: Access,
  signal: AbortSignal,
  wireOn: (socket: Socket) => Wire,
): Promise<Connection> {
  const { security, auth, timeouts } = access
  const socket = await dialled(access, signal)
  const isImplicit = security === 'implicit'
  let wire = wireOn(isImplicit ? await secured(socket, access, timeouts.replyMs, signal) : socket)
  // Nothing is said before the relay has spoken: whoever talks first is taken for a spammer, and rightly.
  demand(await ask(wire, null, timeouts.replyMs), 220, access)
  let capabilities = await introduce(wire, access)
  if (!isImplicit && (capabilities.startTls || security === 'starttls-required')) {
    wire = wireOn(await startTls(wire, capabilities, access, signal))
    // What was offered before TLS may have been anybody's word.
    capabilities = await introduce(wire, access)
  }
  const secureWire = wire
  if (auth) await signIn((line) => ask(secureWire, line, timeouts.replyMs), auth, capabilities.signIn)
  return { wire, capabilities }
}

async function dialled({ dial, timeouts }: Access, signal: AbortSignal): Promise<Socket> {
  try {
    return (await dial({ timeoutMs: timeouts.connectMs, signal })).setNoDelay(true)
  } catch (error) {
    if (error instanceof DialError) throw new ConnectionFailure(error.message)
    throw error
  }
}

async function introduce(wire: Wire, access: Access): Promise<Capabilities> {
  const { ehloName, timeouts } = access
  const answer = await ask(wire, `EHLO ${ehloName}`, timeouts.replyMs)
  if (answer.code === 250) return readCapabilities(answer.text)
  // 421 and the like are no sign of an old server, only of a busy one.
  if (answer.code >= 500) demand(await ask(wire, `HELO ${ehloName}`, timeouts.replyMs), 250, access)
  else demand(answer, 250, access)
  return NO_CAPABILITIES
}

async function startTls(
  wire: Wire,
  capabilities: Capabilities,
  access: Access,
  signal: AbortSignal,
): Promise<Socket> {
  if (!capabilities.startTls)
    throw new ConnectionFailure('The relay does not offer encryption (STARTTLS), so nothing was sent to it')
  demand(await ask(wire, 'STARTTLS', access.timeouts.replyMs), 220, access)
  // Bytes behind this reply came in the clear and would be read as the first words of the encrypted relay.
  const socket = wire.release()
  if (!socket)
    throw new ConnectionFailure(wire.ended() ?? 'The relay sent unencrypted text behind its STARTTLS reply')
  return secured(socket, access, access.timeouts.replyMs, signal)
}

function demand(reply: Reply, code: number, { auth }: Access): void {
  if (reply.code !== code) throw new ConnectionFailure(wordsOf(reply, secretsOf(auth)))
}
