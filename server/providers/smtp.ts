import { hostname } from 'node:os'
import { afterAbort } from '../platform/clock.ts'
import { type Dial, trustedDial } from '../platform/dialer.ts'
import { isLoopback } from '../platform/network-address.ts'
import type { SignMessage } from './dkim.ts'
import { refusalOf } from './mail-safety.ts'
import { type CompiledLetter, compileLetter, envelopeAddress } from './mime/compile.ts'
import type { Copy, Letter, Outcome, Provider } from './provider.ts'
import { providersWords } from './providers-words.ts'
import { type Access, openConnection, type Security } from './smtp/connection.ts'
import { createErrand, type ErrandParts } from './smtp/errand.ts'
import { outcomeOfStop, wordsOf } from './smtp/outcomes.ts'
import { createPool } from './smtp/pool.ts'
import { type Credentials, secretsOf } from './smtp/sign-in.ts'
import { ask, ConnectionFailure } from './smtp/wire.ts'

export type SmtpOptions = {
  name?: string
  /** Whom the certificate must name; where the connection goes is the dialer's matter. */
  host: string
  security: Security
  auth: Credentials | null
  dial: Dial
  rejectUnauthorized?: boolean
  /** What we call ourselves: a host name, or an address in brackets. */
  ehloName?: string
  connections?: number
  messagesPerConnection?: number
  timeouts?: Partial<SmtpTimeouts>
  sign?: SignMessage
  now?: () => Date
}

type SmtpTimeouts = {
  connectMs: number
  /** For the answer to any command but the end of a message. */
  replyMs: number
  /** A relay may scan the whole message before it answers: RFC 5321 asks for ten minutes of patience. */
  dotMs: number
  idleMs: number
  quitMs: number
}

export const TIMEOUTS: SmtpTimeouts = {
  connectMs: 15_000,
  replyMs: 60_000,
  dotMs: 600_000,
  idleMs: 30_000,
  quitMs: 2_000,
}

/** Most relays answer a mail within a second; what one of them scans for minutes is its own matter. */
const LATE_MS = 10_000

/** Any relay that speaks SMTP. One recipient in each transaction, so that every answer is about one person. */
export function createSmtp(options: SmtpOptions): Provider {
  const { host, security, auth, dial, rejectUnauthorized = true, now = () => new Date() } = options
  const { connections = 10, messagesPerConnection = 1000, ehloName = OWN_NAME, sign } = options
  if (!EHLO_NAME.test(ehloName))
    throw new Error('The EHLO name must be a host name or an address in brackets')
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const secrets = secretsOf(auth)
  const access: Access = { host, security, auth, dial, rejectUnauthorized, ehloName, timeouts }
  const pool = createPool({
    open: (signal) => openConnection(access, signal),
    connectionsMax: connections,
    messagesMax: messagesPerConnection,
    secrets,
    timeouts,
  })

  function sendOne(
    letter: Letter,
    copy: Copy,
    signal: AbortSignal,
    mayBegin: () => boolean,
  ): Promise<Outcome> | Outcome {
    const parts = errandParts(letter, copy, now())
    if ('kind' in parts) return parts
    if (!sign) return hand(parts, signal, mayBegin)
    return sign(parts.message).then((message) => hand({ ...parts, message }, signal, mayBegin))
  }

  function hand(parts: Parts, signal: AbortSignal, mayBegin: () => boolean): Promise<Outcome> | Outcome {
    if (signal.aborted) return outcomeOfStop(false)
    return new Promise((resolve, reject) => {
      const onAbort = () => errand.settle(outcomeOfStop(errand.isDotWritten))
      const errand = createErrand(
        { ...parts, mayBegin },
        (outcome) => {
          signal.removeEventListener('abort', onAbort)
          resolve(outcome)
        },
        (error) => {
          signal.removeEventListener('abort', onAbort)
          reject(error)
        },
      )
      signal.addEventListener('abort', onAbort)
      pool.add(errand)
    })
  }

  async function check(signal: AbortSignal): Promise<string | null> {
    const opened = await openConnection(access, signal)
    if ('reason' in opened) return opened.reason
    const { wire } = opened
    const onAbort = () => wire.end('Stopped')
    signal.addEventListener('abort', onAbort)
    try {
      const answer = await ask(wire, 'NOOP', timeouts.replyMs)
      return answer.code === 250 ? null : wordsOf(answer, secrets)
    } catch (error) {
      if (error instanceof ConnectionFailure) return providersWords(error.message, secrets)
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
      // A relay that is slow to say goodbye is not waited for any longer than for its answers.
      await Promise.race([wire.quit(timeouts.quitMs), afterAbort(signal, 0)])
    }
  }

  return {
    name: options.name ?? 'SMTP',
    batchMax: 1,
    // Three for each connection: one is on its way, one is announced behind it, and one is at hand to be announced in
    // the same write as the text before it.
    concurrency: 3 * connections,
    lateMs: LATE_MS,
    callsPerSecond: null,
    copiesPerSecond: () => null,
    // A repetition is a second mail.
    repeatableMs: 0,
    reportsNothing: true,
    identity: `smtp ${host} ${auth?.user ?? ''}`,
    send: (letter, copies, signal, mayBegin = always) =>
      Promise.all(copies.map((copy) => sendOne(letter, copy, signal, mayBegin))),
    recall: () => pool.recall(),
    check,
    async verify(_from, signal) {
      const reason = await check(signal)
      if (reason !== null) return { isGood: false, error: reason }
      return {
        isGood: true,
        note: 'A relay tells only at the first mail whether it takes mail from this sender.',
      }
    },
    close: () => pool.close(),
  }
}

const always = (): boolean => true

type Parts = Omit<ErrandParts, 'mayBegin'>
type Rejected = Extract<Outcome, { kind: 'rejected' }>
type Prepared = { from: string; mail: CompiledLetter }

/** A letter goes to many; what all copies share is made once. */
const preparedLetters = new WeakMap<Letter, Prepared>()

function prepared(letter: Letter): Prepared {
  const known = preparedLetters.get(letter)
  if (known) return known
  const made = { from: envelopeAddress(letter.from.address), mail: compileLetter(letter) }
  preparedLetters.set(letter, made)
  return made
}

function errandParts(letter: Letter, copy: Copy, date: Date): Parts | Rejected {
  const refusal = refusalOf(letter, copy)
  if (refusal) return refusal
  const { from, mail } = prepared(letter)
  return {
    from: copy.returnPath === undefined ? from : envelopeAddress(copy.returnPath),
    to: envelopeAddress(copy.to.address),
    needs: mail.needs(copy),
    message: mail.fill(copy, date),
  }
}

const EHLO_NAME = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[(?:IPv6:)?[0-9a-f.:]{2,45}\])$/i

/** A relay expects a full name; a machine that has none introduces itself by address, as RFC 5321 provides. */
const OWN_NAME = EHLO_NAME.test(hostname()) && hostname().includes('.') ? hostname() : '[127.0.0.1]'

export type SmtpRelayOptions = Pick<SmtpOptions, 'now' | 'timeouts' | 'connections' | 'sign'> & {
  /** `smtps://user:password@host:465` or `smtp://…:587`; user and password as URLs encode them. */
  url: URL
  /** Where a connection may stay unencrypted: on this machine nobody stands in between. */
  mayStayPlain?: (host: string) => boolean
}

/** The operator's relay. */
export function createSmtpRelay({ url, mayStayPlain = isLoopback, ...options }: SmtpRelayOptions): Provider {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isImplicit = url.protocol === 'smtps:'
  const isPlainAllowed = !isImplicit && mayStayPlain(host)
  const user = decodeURIComponent(url.username)
  return createSmtp({
    ...options,
    name: 'SMTP relay',
    host,
    // Without this a relay (or somebody before it) that hides STARTTLS would be handed the password in the clear.
    security: isImplicit ? 'implicit' : isPlainAllowed ? 'starttls-if-offered' : 'starttls-required',
    auth: user === '' ? null : { user, password: decodeURIComponent(url.password) },
    // A relay on this machine usually has a certificate of its own making, and there is no way to spoof.
    rejectUnauthorized: !isPlainAllowed,
    dial: trustedDial(host, url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port)),
  })
}
