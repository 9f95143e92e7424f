import { once } from 'node:events'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Dial } from './dialer.ts'
import type { MemoryShare } from './memory-budget.ts'
import { readWhole } from './whole-body.ts'

/** Fetches what lies at an address that somebody else has named. */
export type Download = (url: URL, options: DownloadOptions) => Promise<Buffer>

type DownloadOptions = {
  most: number
  /** Asked for the room before it is filled. */
  memory: MemoryShare
  signal?: AbortSignal
}

type Needs = {
  /** The one way out to hosts that others name: it judges where they lead. */
  dial: (host: string, port: number) => Dial
  /** The operator's own: only there is plain HTTP allowed, and any network. */
  trusted: { origin: string; dial: (host: string, port: number) => Dial }
  timeoutMs?: number
  /** Whom to believe instead of the authorities that are known everywhere. */
  ca?: string
}

/** Its message is a sentence for the log; it holds no part of the address behind the host, which may be a secret. */
export class DownloadError extends Error {
  override name = 'DownloadError'
  /** Another time will not help. */
  readonly isTooLarge: boolean

  constructor(sentence: string, { isTooLarge = false } = {}) {
    super(sentence)
    this.isTooLarge = isTooLarge
  }
}

const TIMEOUT_MS = 20_000
const REDIRECTS_MAX = 3

/** Over HTTPS, to a public place that the dialer lets through; after each redirect it is judged anew. */
export function createDownload({ dial, trusted, timeoutMs = TIMEOUT_MS, ca }: Needs): Download {
  async function connect(url: URL, signal: AbortSignal): Promise<Socket> {
    const isTrusted = url.origin === trusted.origin
    const isSecure = url.protocol === 'https:'
    if (!isSecure && !(isTrusted && url.protocol === 'http:'))
      throw new DownloadError(`What lies at ${url.host} is not offered over HTTPS`)
    const port = Number(url.port) || (isSecure ? 443 : 80)
    const open = isTrusted ? trusted.dial : dial
    const socket = await open(url.hostname, port)({ timeoutMs, signal })
    return isSecure
      ? connectTls({ socket, host: url.hostname, servername: serverName(url.hostname), ca })
      : socket
  }

  async function ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const socket = await connect(url, signal)
    const send = url.protocol === 'https:' ? secureRequest : plainRequest
    const asked = send(url, {
      // Only where no agent is named, not even `false`, is this the connection that is used.
      createConnection: () => socket,
      headers: { 'user-agent': 'Postrider', 'accept-encoding': 'identity', connection: 'close' },
      signal,
    })
    const answering = once(asked, 'response')
    asked.end()
    const [answer] = await answering
    return answer
  }

  return async (start, { most, memory, signal: outer }) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(outer ? [outer] : [])])
    let url = start
    for (let turns = 0; turns <= REDIRECTS_MAX; turns++) {
      const answer = await ask(url, signal)
      const status = answer.statusCode ?? 0
      const whole = status === 200 ? await readWhole(answer, { most, memory }) : null
      answer.destroy()
      if (whole === 'too-large')
        throw new DownloadError(`What lies at ${url.host} is too large`, { isTooLarge: true })
      if (whole === 'cut-short' || whole === 'too-slow') throw new DownloadError(`${url.host} broke off`)
      if (whole) return whole
      const next = status >= 300 && status <= 399 ? answer.headers.location : undefined
      if (!next || !URL.canParse(next, url.href)) throw new DownloadError(`${url.host} answered ${status}`)
      url = new URL(next, url)
    }
    throw new DownloadError(`${start.host} sends from one place to the next`)
  }
}

/** An address in numbers cannot be named in the handshake. */
const serverName = (host: string): string => (/^[\d.]+$|^\[/.test(host) ? '' : host)
