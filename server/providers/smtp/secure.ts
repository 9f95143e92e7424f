import { isIP, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { ConnectionFailure, inWords, silence } from './wire.ts'

type TlsRules = {
  /** The name or address that the certificate must be for. */
  host: string
  rejectUnauthorized: boolean
}

/**
 * Puts TLS around a socket. Nothing is kept between two connections, neither session nor name: what one user's relay
 * has proven says nothing about another's.
 */
export function secured(
  socket: Socket,
  { host, rejectUnauthorized }: TlsRules,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<TLSSocket> {
  // From here on its failures are told by the TLS socket; an event that nobody hears would end the process.
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    const tls = connect({
      socket,
      host,
      // An address is no server name in TLS; the certificate is then compared with `host`.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      minVersion: 'TLSv1.2',
      rejectUnauthorized,
    })
    const timer = setTimeout(() => fail(silence(timeoutMs)), timeoutMs)
    const onAbort = () => fail('Stopped')
    const fail = (reason: string) => {
      settle()
      tls.on('error', () => {})
      tls.destroy()
      socket.destroy()
      reject(new ConnectionFailure(reason))
    }
    const onError = (error: Error) => fail(certificateWords(error))
    const onClose = () => fail('The relay closed the connection during the TLS handshake')
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      tls.off('error', onError).off('close', onClose)
    }
    tls.on('error', onError).on('close', onClose)
    tls.once('secureConnect', () => {
      settle()
      resolve(tls)
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

/** A refused certificate is explained in a sentence of its own; a broken connection has only a code. */
function certificateWords(error: Error): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall !== undefined || code === 'ECONNRESET') return inWords(error)
  return `The encrypted connection could not be made: ${error.message}`
}
