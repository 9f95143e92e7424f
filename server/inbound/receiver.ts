import { once } from 'node:events'
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server'
import { isDatabaseAway } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { MemoryBudget } from '../platform/memory-budget.ts'
import { ownedRange } from '../platform/network-address.ts'
import { selfSigned } from '../platform/self-signed.ts'
import { keepMail } from './kept-mail.ts'
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
  /** How many a connection may name since its last mail: whoever brings mail is never near it, however many mails. */
  recipientsWithoutMail: number
  bytes: number
  /** Somebody who is refused for the size is heard out so far, and gets the answer; beyond it the line is cut. */
  bytesHeard: number
  /** What is read of a report. It says all at its beginning; the worst that fits takes 40 ms to read, a real one 0.5 ms. */
  bytesOfReport: number
  silentMs: number
  connectionMs: number
  closeMs: number
}

const LIMITS: ReceiverLimits = {
  connections: 100,
  connectionsPerAddress: 20,
  recipients: 100,
  refusedPerConnection: 100,
  recipientsWithoutMail: 1_000,
  bytes: 25_000_000,
  bytesHeard: 26_000_000,
  bytesOfReport: 500_000,
  silentMs: 60_000,
  connectionMs: 15 * 60_000,
  closeMs: 2_000,
}

/** A mail as it came, and its envelope; the sender is empty for a mail from nobody. */
export type IncomingMail = { raw: Buffer; from: string; recipients: readonly Recipient[] }

type Needs = {
  domain: string
  recipientOf: RecipientOf
  /** Resolves once all that the mail means is stored for good: only then does its sender hear that we have it. */
  take(mail: IncomingMail): Promise<void>
  /** For all mails under way together. */
  memory: MemoryBudget
  log: Log
  limits?: Partial<ReceiverLimits>
}

/** A connection: from where, how often it asked for somebody who is not here, and for somebody who is without a mail. */
type Visit = { from: string; refused: number; withoutMail: number; timer: NodeJS.Timeout }

/** Takes mail by SMTP for those whom `recipientOf` knows, and for nobody else: it passes nothing on. */
export function createReceiver({ domain, recipientOf, take, memory, log, ...needs }: Needs): Receiver {
  const limits = { ...LIMITS, ...needs.limits }
  const visits = new Map<string, Visit>()
  /**
   * By the server's own record of a recipient, which it drops when the recipient is named again in another case, at RSET
   * and after the mail. By their spelling there would be no end of them.
   */
  const known = new WeakMap<SMTPServerAddress, Recipient>()
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
      onRcptTo: (named, session, answer) => void judge(named, session).then(answer),
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
    visits.set(id, { from, refused: 0, withoutMail: 0, timer: timer.unref() })
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

  async function judge(named: SMTPServerAddress, { id }: SMTPServerSession): Promise<Reply | null> {
    const visit = visits.get(id)
    if (!visit) return reply(421, 'This connection has ended')
    if (visit.withoutMail >= limits.recipientsWithoutMail)
      return reply(421, 'Too many recipients without a mail')
    try {
      const recipient = await recipientOf(named.address, visit.from)
      if (recipient) {
        visit.withoutMail += 1
        known.set(named, recipient)
        return null
      }
    } catch (error) {
      return later(error)
    }
    if (++visit.refused > limits.refusedPerConnection)
      return reply(421, 'Too many recipients who are not here')
    return reply(550, 'Nobody here has this address, and no mail is passed on')
  }

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Reply | null> {
    const visit = visits.get(session.id)
    const { mailFrom, rcptTo } = session.envelope
    const recipients = rcptTo.flatMap((named) => known.get(named) ?? [])
    if (visit) visit.withoutMail = 0
    try {
      using kept = await keepMail(stream, {
        memory,
        owner: visit?.from ?? session.remoteAddress,
        most: recipients.some(({ kind }) => kind === 'inbox') ? limits.bytes : limits.bytesOfReport,
        tooLarge: limits.bytes,
        heard: (length) => length > limits.bytesHeard && hangUp(session.id, 552, 'This mail is too large'),
      })
      // Too large: the server has its own words for that.
      if (stream.sizeExceeded) return null
      if (!kept.raw) return reply(452, 'Too much mail is coming in just now, please try again later')
      await take({ raw: kept.raw, from: mailFrom ? mailFrom.address : '', recipients })
      return null
    } catch (error) {
      return later(error)
    }
  }

  function later(error: unknown): Reply {
    if (error instanceof AppError && error.status === 429) return reply(450, error.message)
    if (error instanceof AppError && error.status === 503) return reply(452, error.message)
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
