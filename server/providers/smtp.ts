import type { Readable } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isLoopback } from '../platform/network-address.ts'
import { providersWords, refusalOf } from './mail-safety.ts'
import { composable } from './message.ts'
import type { Outcome, OutgoingMail, Provider } from './provider.ts'

export type SmtpRelayOptions = {
  /** `smtps://user:password@host:465` or `smtp://…:587`; user and password as URLs encode them. */
  url: URL
  now?: () => Date
  timeouts?: { connectMs: number; silenceMs: number }
  /** Where a connection may stay unencrypted: on this machine nobody stands in between. */
  mayStayPlain?: (host: string) => boolean
}

/** A relay that needs longer to come up is down; one that is silent for half a minute has lost the thread. */
const TIMEOUTS = { connectMs: 10_000, silenceMs: 30_000 }

/** The operator's relay. One recipient in each transaction, so that every answer is about one person. */
export function createSmtpRelay(options: SmtpRelayOptions): Provider {
  const { url, now = () => new Date(), timeouts = TIMEOUTS, mayStayPlain = isLoopback } = options
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const isPlainAllowed = !secure && mayStayPlain(host)

  const transporter = createTransport({
    pool: true,
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // Without this a relay (or somebody before it) that hides STARTTLS would be handed the password in the clear.
    requireTLS: !secure && !isPlainAllowed,
    // A relay on this machine usually has a certificate of its own making, and there is no way to spoof.
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !isPlainAllowed },
    ...(user === '' ? {} : { auth: { user, pass: password }, forceAuth: true }),
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    // Once more on a new connection when the relay had closed an idle one; all other repetition is the caller's.
    maxRequeues: 1,
    idleTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The stream that is returned unchanged here is the one that the connection reads once the relay said 354.
  transporter.use('stream', (mail, done) => {
    const { onBody } = mail.data as WatchedMail
    mail.message.processFunc((body) => {
      onBody(body)
      return body
    })
    done()
  })

  async function sendOne(mail: OutgoingMail, signal: AbortSignal): Promise<Outcome> {
    const refusal = refusalOf(mail)
    if (refusal) return refusal
    if (signal.aborted) return { kind: 'try-later', reason: 'Stopped before sending', afterMs: null }
    let body: Readable | null = null
    const watched: WatchedMail = {
      ...composable(mail, now()),
      onBody: (stream) => {
        body = stream
      },
    }
    const stopped = Promise.withResolvers<Outcome>()
    const onAbort = () => stopped.resolve({ kind: 'unknown', reason: 'Stopped while sending' })
    signal.addEventListener('abort', onAbort, { once: true })
    const sent = transporter.sendMail(watched).then(
      (info): Outcome => ({ kind: 'accepted', id: providersWords(info.response) }),
      (error: unknown): Outcome => fromFailure(error, wasRead(body), [password, authToken(user, password)]),
    )
    return Promise.race([sent, stopped.promise]).finally(() => signal.removeEventListener('abort', onAbort))
  }

  return {
    name: 'SMTP relay',
    send: (batch, signal) => Promise.all(batch.map((mail) => sendOne(mail, signal))),
    async close() {
      transporter.close()
    },
  }
}

type WatchedMail = SendMailOptions & { onBody: (body: Readable) => void }

const wasRead = (body: Readable | null): boolean => body?.readableDidRead ?? false
const authToken = (user: string, password: string): string =>
  user === '' ? '' : Buffer.from(`\0${user}\0${password}`).toString('base64')

/** The commands whose answer is about this mail; a refusal before them is about the relay or our account with it. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA'])
/** 503: the session was in disorder, not the mail. 530, 534, 535, 538: the operator's credentials, or the lack of them. */
const NOT_THE_MAILS_FAULT = new Set([503, 530, 534, 535, 538])

function fromFailure(error: unknown, bodyWasRead: boolean, secrets: readonly string[]): Outcome {
  const { code, command, responseCode, response, message } = describe(error)
  const reason = providersWords(response || message || code, secrets)
  const isFinal = responseCode >= 500 && !NOT_THE_MAILS_FAULT.has(responseCode) && ABOUT_THE_MAIL.has(command)
  if (isFinal) return { kind: 'rejected', reason }
  // Too large for the relay, or an envelope that Nodemailer itself refuses: the same the next time.
  if (responseCode === 0 && (code === 'EMESSAGE' || code === 'EENVELOPE')) return { kind: 'rejected', reason }
  // Once the body is on its way no later moment shows whether the final dot arrived; only a reply tells.
  if (responseCode === 0 && bodyWasRead) return { kind: 'unknown', reason }
  return { kind: 'try-later', reason, afterMs: null }
}

type SmtpFailure = { code: string; command: string; responseCode: number; response: string; message: string }

function describe(error: unknown): SmtpFailure {
  const fields: Record<string, unknown> = error instanceof Error ? { ...error } : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    code: text(fields['code']),
    command: text(fields['command']),
    responseCode: typeof fields['responseCode'] === 'number' ? fields['responseCode'] : 0,
    response: text(fields['response']),
    message: error instanceof Error ? error.message : '',
  }
}
