import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { isDatabaseAway } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { ownedRange } from '../platform/network-address.ts'
import { selfSigned } from '../platform/self-signed.ts'
import type { Recipient, RecipientOf } from './recipients.ts'

export type Receiver = {
  /** Port 0 takes any; answers which one it is. */
  listen(at: { host: string; port: number }): Promise<number>
  /** Takes nothing more; mails that are being stored get a moment. */
  close(): Promise<void>
}

export type ReceiverLimits = {
  connections: number
  connectionsPerAddress: number
  recipients: number
  refusedPerConnection: number
  bytes: number
  /** Somebody who is refused for the size is heard out so far, and gets the answer; beyond it the line is cut. */
  bytesHeard: number
  /** What is read of a mail. Reports stand at the beginning; the worst that fits takes 40 ms to read, a real one 0.5 ms. */
  bytesKept: number
  silentMs: number
  connectionMs: number
  closeMs: number
}

const LIMITS: ReceiverLimits = {
  connections: 100,
  connectionsPerAddress: 20,
  recipients: 100,
  refusedPerConnection: 100,
  bytes: 10_000_000,
  bytesHeard: 20_000_000,
  bytesKept: 500_000,
  silentMs: 60_000,
  connectionMs: 15 * 60_000,
  closeMs: 2_000,
}

const FIRST_ROOM = 16_384

type Needs = {
  domain: string
  recipientOf: RecipientOf
  /** Resolves once all that the mail means is stored for good: only then does its sender hear that we have it. */
  take(raw: Buffer, recipients: readonly Recipient[]): Promise<void>
  log: Log
  limits?: Partial<ReceiverLimits>
}

/** Connections from one place, and how often each has asked for somebody who is not here. */
type Visit = { from: string; refused: number; timer: NodeJS.Timeout }

/** Takes mail by SMTP for those whom `recipientOf` knows, and for nobody else: it passes nothing on. */
export function createReceiver({ domain, recipientOf, take, log, ...needs }: Needs): Receiver {
  const limits = { ...LIMITS, ...needs.limits }
  const visits = new Map<string, Visit>()
  let server: SMTPServer | null = null

  const createServer = (): SMTPServer =>
    new SMTPServer({
      ...selfSigned(domain),
      minVersion: 'TLSv1.2',
      name: domain,
      banner: 'Postrider',
      disabledCommands: ['AUTH', 'WIZ', 'SHELL', 'KILL'],
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      maxClients: limits.connections,
      maxRecipients: limits.recipients,
      maxCommandLength: 4_096,
      size: limits.bytes,
      rejectOversized: true,
      socketTimeout: limits.silentMs,
      closeTimeout: limits.closeMs,
      logger: false,
      onConnect: (session, answer) => answer(welcome(session)),
      onRcptTo: ({ address }, session, answer) => void judge(address, session).then(answer),
      onData: (stream, session, answer) => void receive(stream, session).then(answer),
      onClose: forget,
    })

  function welcome({ id, remoteAddress }: SMTPServerSession): Reply | null {
    const from = ownedRange(remoteAddress)
    const others = [...visits.values()].filter((visit) => visit.from === from).length
    if (others >= limits.connectionsPerAddress)
      return reply(421, 'Too many connections from your address, please try again later')
    const timer = setTimeout(
      () => hangUp(id, 421, 'This connection has lasted long enough'),
      limits.connectionMs,
    )
    visits.set(id, { from, refused: 0, timer: timer.unref() })
    return null
  }

  function forget({ id }: SMTPServerSession): void {
    clearTimeout(visits.get(id)?.timer)
    visits.delete(id)
  }

  function hangUp(id: string, code: number, sentence: string): void {
    for (const connection of server?.connections ?? [])
      if (connection.id === id) {
        connection.send(code, sentence)
        connection.close()
      }
  }

  async function judge(address: string, { id }: SMTPServerSession): Promise<Reply | null> {
    try {
      if (await recipientOf(address)) return null
    } catch (error) {
      return later(error)
    }
    const visit = visits.get(id)
    if (visit && ++visit.refused > limits.refusedPerConnection)
      return reply(421, 'Too many recipients who are not here')
    return reply(550, 'Nobody here has this address, and no mail is passed on')
  }

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Reply | null> {
    try {
      const raw = await readStart(stream, () => hangUp(session.id, 552, 'This mail is too large'))
      // Too large: the server has its own words for that.
      if (stream.sizeExceeded) return null
      // As the last server on a mail's way writes it down: reports come from nobody, and are known by that too.
      const { mailFrom } = session.envelope
      const returnPath = Buffer.from(`Return-Path: <${mailFrom ? mailFrom.address : ''}>\r\n`)
      const known = await Promise.all(session.envelope.rcptTo.map(({ address }) => recipientOf(address)))
      await take(
        Buffer.concat([returnPath, raw]),
        known.filter((recipient) => recipient !== null),
      )
      return null
    } catch (error) {
      return later(error)
    }
  }

  /** Copied, since a mail may come in pieces of three bytes, each of which would be kept as an object. */
  function readStart(stream: SMTPServerDataStream, cut: () => void): Promise<Buffer> {
    let kept = Buffer.allocUnsafe(Math.min(FIRST_ROOM, limits.bytesKept))
    let length = 0
    stream.on('data', (piece: Buffer) => {
      const wanted = Math.min(length + piece.length, limits.bytesKept)
      if (wanted > kept.length) {
        const more = Buffer.allocUnsafe(Math.min(Math.max(wanted, 2 * kept.length), limits.bytesKept))
        kept.copy(more, 0, 0, length)
        kept = more
      }
      piece.copy(kept, length)
      length = wanted
      if (stream.byteLength > limits.bytesHeard) cut()
    })
    return finished(stream).then(() => kept.subarray(0, length))
  }

  function later(error: unknown): Reply {
    const isExpected = isDatabaseAway(error) || isCutShort(error)
    if (!isExpected) log.error({ err: error }, 'a mail could not be taken in; its sender tries again')
    return reply(451, 'This mail cannot be stored now, please try again later')
  }

  return {
    async listen({ host, port }) {
      server = createServer()
      // A certificate that is not trusted, a line that breaks: the business of whoever called.
      server.on('error', (error) => log.debug({ err: error }, 'a connection to the receiver failed'))
      const listening = once(server.server, 'listening')
      server.listen(port, host)
      await listening
      const address = server.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    close() {
      const closing = server
      server = null
      return new Promise((resolve) => {
        if (closing?.server.listening) closing.close(() => resolve())
        else resolve()
      })
    },
  }
}

type Reply = Error & { responseCode: number }

const reply = (code: number, sentence: string): Reply =>
  Object.assign(new Error(sentence), { responseCode: code })

/** The caller left in the middle of the mail. */
const isCutShort = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ECONNECTION' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
