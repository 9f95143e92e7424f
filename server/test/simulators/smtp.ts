import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { SELF_SIGNED, type TestCertificate } from './certificates.ts'

/** Where the relay misbehaves: `ehlo` is HELO as well, `dot` is the answer to the whole message. */
export type SmtpStage = 'greeting' | 'ehlo' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

export type SmtpFault = {
  stage: SmtpStage
  /** A reply code, a cut connection, or no answer at all. */
  does: { code: number; text: string } | 'drop' | 'silence'
  /** At the dot only: the mail is taken all the same, and the client cannot know. */
  afterAccepting?: boolean
}

export type TakenMail = {
  from: string
  to: string[]
  raw: string
  /** In order, unfolded, names as written. */
  headers: [name: string, value: string][]
  secure: boolean
  user: string | null
}

export type SmtpSimulator = {
  url: URL
  /** Every mail that was taken, noted before the answer left. */
  ledger: readonly TakenMail[]
  /** The command lines as they came, credentials blanked. */
  commands: readonly string[]
  /** Each fault strikes once, when its stage is next reached. */
  failNext(...faults: SmtpFault[]): void
  close(): Promise<void>
}

export type SmtpSimulatorOptions = {
  tls?: 'none' | 'starttls' | 'implicit'
  /** Self-signed unless another is given. */
  certificate?: TestCertificate
  /** With it, mail is taken only from whoever signs in so. */
  auth?: { user: string; pass: string }
  port?: number
  /** Extensions that it does not offer. */
  without?: readonly ('PIPELINING' | '8BITMIME' | 'SMTPUTF8')[]
  signIn?: readonly ('PLAIN' | 'LOGIN')[]
  /** The largest message that it takes. */
  sizeMax?: number
  /** Recipients that it knows nobody behind. */
  unknownRecipients?: readonly string[]
}

/** A real SMTP server on loopback that can be told to fail at every stage. */
export async function startSmtpSimulator(options: SmtpSimulatorOptions = {}): Promise<SmtpSimulator> {
  const { tls = 'none', certificate = SELF_SIGNED, auth, port = 0, without = [], sizeMax } = options
  const { signIn = ['PLAIN', 'LOGIN'], unknownRecipients = [] } = options
  const ledger: TakenMail[] = []
  const commands: string[] = []
  const faults: SmtpFault[] = []

  const take = (stage: SmtpStage): SmtpFault | null => {
    const index = faults.findIndex((fault) => fault.stage === stage)
    return index === -1 ? null : (faults.splice(index, 1)[0] ?? null)
  }
  const strike = (
    session: SMTPServerSession,
    fault: SmtpFault | null,
    answer: (error?: Error) => void,
  ): void => {
    if (!fault) answer()
    else if (fault.does === 'drop') wireOf(session)._socket.resetAndDestroy()
    else if (fault.does !== 'silence')
      answer(Object.assign(new Error(fault.does.text), { responseCode: fault.does.code }))
  }
  const wireOf = (session: SMTPServerSession): Wire => {
    for (const wire of server.connections as Set<Wire>) if (wire.session.id === session.id) return wire
    throw new Error('no such connection')
  }

  const server = new SMTPServer({
    ...certificate,
    secure: tls === 'implicit',
    disabledCommands: [...(tls === 'starttls' ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    // A relay that offers AUTH in the clear is the trap that a client must not fall into.
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    hidePIPELINING: without.includes('PIPELINING'),
    hide8BITMIME: without.includes('8BITMIME'),
    hideSMTPUTF8: without.includes('SMTPUTF8'),
    authMethods: [...signIn],
    ...(sizeMax === undefined ? {} : { size: sizeMax }),
    logger: recorder(commands),
    onAuth(given, session, callback) {
      strike(session, take('auth'), (error) => {
        if (error) return callback(error)
        if (given.username === auth?.user && given.password === auth?.pass)
          return callback(null, { user: given.username })
        callback(Object.assign(new Error('Authentication credentials invalid'), { responseCode: 535 }))
      })
    },
    onConnect(session, callback) {
      const wire = wireOf(session)
      // smtp-server has no hooks for these.
      for (const [handler, stage] of UNHOOKED) {
        const answer = wire[handler].bind(wire)
        wire[handler] = (command, done) => {
          strike(session, take(stage), (error) => {
            if (!error) return answer(command, done)
            wire.send((error as Reply).responseCode, error.message)
            done()
          })
        }
      }
      strike(session, take('greeting'), callback)
    },
    onMailFrom: (_address, session, callback) => strike(session, take('mail'), callback),
    onRcptTo(recipient, session, callback) {
      if (unknownRecipients.includes(recipient.address))
        return callback(Object.assign(new Error('No such user here'), { responseCode: 550 }))
      strike(session, take('rcpt'), callback)
    },
    async onData(stream, session, callback) {
      const raw = await readAll(stream)
      if (raw === null) return
      const fault = take('dot')
      if (!fault || fault.afterAccepting) ledger.push(taken(session, raw))
      strike(session, fault, (error) => callback(error ?? null, `OK: queued as ${ledger.length}`))
    },
  })
  // Connections that are cut on purpose, or a client that refuses our certificate, are part of the play.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: openPort } = server.server.address() as AddressInfo
  const who = auth ? `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.pass)}@` : ''

  return {
    url: new URL(`${tls === 'implicit' ? 'smtps' : 'smtp'}://${who}127.0.0.1:${openPort}`),
    ledger,
    commands,
    failNext: (...more) => void faults.push(...more),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** What smtp-server keeps of a connection; the package does not declare it. */
type Wire = {
  session: { id: string }
  _socket: Socket
  handler_EHLO: Handler
  handler_HELO: Handler
  handler_DATA: Handler
  send(code: number, text: string): void
}
type Handler = (command: unknown, done: () => void) => void
type Reply = Error & { responseCode: number }

const UNHOOKED = [
  ['handler_EHLO', 'ehlo'],
  ['handler_HELO', 'ehlo'],
  ['handler_DATA', 'data'],
] as const

const taken = (session: SMTPServerSession, raw: string): TakenMail => ({
  from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
  to: session.envelope.rcptTo.map((recipient) => recipient.address),
  raw,
  headers: readHeaders(raw),
  secure: session.secure,
  user: typeof session.user === 'string' ? session.user : null,
})

/** Nothing where the client hung up in the middle of it: such a mail was never here. */
async function readAll(stream: SMTPServerDataStream): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readHeaders(raw: string): [string, string][] {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  return head
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

function recorder(commands: string[]) {
  const ignore = () => {}
  const debug = (entry: { tnx?: string }, mark: string, line: string) => {
    if (entry.tnx === 'command' && mark === 'C:') commands.push(line)
  }
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}
