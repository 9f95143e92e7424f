import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { askedHost, isForwarded } from '../platform/http/security.ts'
import type { Metrics } from '../platform/metrics.ts'
import { isLoopback, plainAddress } from '../platform/network-address.ts'
import { sameBytes } from '../platform/secrets.ts'

/** Gives the metrics to whoever may have them. */
export type MetricsReader = {
  /** Null for everybody else. */
  read(headers: IncomingHttpHeaders, peer: string): Promise<string | null>
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
export const NOT_FOR_YOU =
  'The metrics are read on this machine; once METRICS_TOKEN is set, everybody shows it as "Authorization: Bearer …"'

type Needs = {
  metrics: Pick<Metrics, 'text'>
  /** What a caller must show; null: whoever is on this machine, and nobody else. */
  token: string | null
}

export function createMetricsReader({ metrics, token }: Needs): MetricsReader {
  const isHere = (headers: IncomingHttpHeaders, peer: string): boolean =>
    isLoopback(plainAddress(peer) ?? '') && isLoopback(askedHost(headers)) && !isForwarded(headers)
  const hasToken = ({ authorization = '' }: IncomingHttpHeaders, secret: string): boolean =>
    sameBytes(Buffer.from(authorization), Buffer.from(`Bearer ${secret}`))

  return {
    async read(headers, peer) {
      const mayRead = token === null ? isHere(headers, peer) : hasToken(headers, token)
      return mayRead ? metrics.text() : null
    },
  }
}

/** For processes that serve no web: a port on which there is nothing else. */
export function createMetricsServer(reader: MetricsReader): Server {
  return createServer((request, response) => {
    const answer = (status: number, text: string): void =>
      void response.writeHead(status, { 'content-type': METRICS_TYPE }).end(text)
    if (request.url !== '/metrics') return answer(404, 'There is nothing at this address')
    reader.read(request.headers, request.socket.remoteAddress ?? '').then(
      (text) => (text === null ? answer(403, NOT_FOR_YOU) : answer(200, text)),
      () => answer(500, 'The metrics cannot be read at the moment'),
    )
  })
}
