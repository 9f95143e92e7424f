import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { onLoopback, readBody } from '../loopback.ts'
import { createLedger } from './ledger.ts'
import { type Answer, accept, type EntryStatus, type Rules, refused } from './ses-acceptance.ts'
import type { TakenMail } from './ses-mail.ts'
import { type ReportForm, type ReportKind, reportOf, reportsOf } from './ses-reports.ts'
import { objectionTo } from './ses-signature.ts'
import type { SnsSimulator } from './sns.ts'

/** One lie, told to one sending call. `after` means that the mails were taken before the lie. */
type SesFault =
  | { kind: 'throttle' }
  | { kind: 'quota' }
  /** `type` is what goes into x-amzn-errortype; an empty one leaves the header out. */
  | { kind: 'answer'; status: number; type: string; message: string; when: 'before' | 'after' }
  | { kind: 'reset'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }
  /** No answer before this has come about. */
  | { kind: 'held'; until: Promise<unknown> }
  /** The entries at these places get these results and are not taken; the others fare as they deserve. */
  | { kind: 'entries'; results: Readonly<Record<number, EntryStatus>> }

type SesCall = { path: string; headers: IncomingMessage['headers']; body: string }

export type SesSimulator = {
  url: URL
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** Every recipient whose mail was taken, noted before the answer left. */
  ledger: readonly TakenMail[]
  /** Every call to a sending path that was signed as it should, answered or not. */
  calls: readonly SesCall[]
  /** How often the account was asked for. */
  questions(): number
  /** The next sending calls meet these, one each; null is an honest answer. */
  lieNext(...faults: (SesFault | null)[]): void
  /** For longer runs: asked with the number of the sending call, from 1, when nothing was planned by lieNext. */
  lieBy(schedule: (call: number) => SesFault | null): void
  /** Reports something about a mail that was taken; needs `reports`. */
  report(mail: TakenMail, what: ReportKind): Promise<void>
  close(): Promise<void>
}

export type SesSimulatorOptions = Partial<Omit<Rules, 'now'>> & {
  accessKeyId?: string
  secretAccessKey?: string
  region?: string
  isSendingEnabled?: boolean
  enforcementStatus?: 'HEALTHY' | 'PROBATION' | 'SHUTDOWN'
  /** A key that may send and nothing else. */
  sendingOnly?: boolean
  now?: () => number
  /** Every recipient whose mail was taken is appended here as a JSON line, safe on the disk before the answer leaves. */
  ledgerFile?: string
  /** Who hears what becomes of the mails, in which form, and whether they hear it before the sender gets its answer. */
  reports?: { sns: SnsSimulator; form?: ReportForm; isEarly?: boolean }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const SENDING = /^\/v2\/email\/outbound-(?:bulk-)?emails$/

/** The documented protocol of Amazon SES, version 2, on loopback, with lies on demand. */
export async function startSesSimulator(options: SesSimulatorOptions = {}): Promise<SesSimulator> {
  const {
    accessKeyId = 'AKIASIMULATED0000001',
    secretAccessKey = 'simulated/secret+access/key',
    region = 'us-east-1',
    now = Date.now,
    reports,
  } = options
  const rules: Rules = {
    region,
    identities: options.identities ?? { 'postrider.localhost': true },
    isSandbox: options.isSandbox ?? false,
    maxSendRate: options.maxSendRate ?? 10_000,
    isThrottling: options.isThrottling ?? false,
    badAddresses: options.badAddresses ?? 'refuse-entry',
    now,
  }
  const ledger = createLedger<TakenMail>(options.ledgerFile)
  const calls: SesCall[] = []
  const planned: (SesFault | null)[] = []
  let schedule: (call: number) => SesFault | null = () => null
  let questions = 0
  const reporting = new Set<Promise<void>>()

  async function answerTo(request: IncomingMessage): Promise<Answer | 'reset'> {
    const path = request.url ?? '/'
    const body = await readBody(request)
    const objection = objectionTo(request, body, { accessKeyId, secretAccessKey, region }, now())
    if (objection) return refused(403, objection.type, objection.message)
    if (request.method === 'POST' && SENDING.test(path)) {
      calls.push({ path, headers: request.headers, body: body.toString('utf8') })
      const lie = planned.length > 0 ? (planned.shift() ?? null) : schedule(calls.length)
      return meet(lie, path, body.toString('utf8'))
    }
    return request.method === 'GET' ? question(path) : refused(404, 'UnknownOperationException', '')
  }

  function question(path: string): Answer {
    const [, identity] = /^\/v2\/email\/identities\/([^/]+)$/.exec(path) ?? []
    if (path !== '/v2/email/account' && identity === undefined)
      return refused(404, 'UnknownOperationException', '')
    if (identity === undefined) questions += 1
    const action = identity === undefined ? 'ses:GetAccount' : 'ses:GetEmailIdentity'
    if (options.sendingOnly)
      return refused(
        403,
        'AccessDeniedException',
        `User: arn:aws:iam::123456789012:user/mailer is not authorized to perform: ${action} because no identity-based policy allows it`,
      )
    if (identity === undefined) return account()
    const name = decodeURIComponent(identity)
    const isVerified = rules.identities[name]
    if (isVerified === undefined)
      return refused(404, 'NotFoundException', `Email identity <${name}> does not exist.`)
    const IdentityType = name.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN'
    return { status: 200, body: { IdentityType, VerifiedForSendingStatus: isVerified } }
  }

  const account = (): Answer => ({
    status: 200,
    body: {
      DedicatedIpAutoWarmupEnabled: false,
      EnforcementStatus: options.enforcementStatus ?? 'HEALTHY',
      ProductionAccessEnabled: !rules.isSandbox,
      SendingEnabled: options.isSendingEnabled ?? true,
      SendQuota: {
        Max24HourSend: rules.isSandbox ? 200 : 50_000,
        MaxSendRate: rules.maxSendRate,
        SentLast24Hours: ledger.taken.length,
      },
    },
  })

  async function meet(lie: SesFault | null, path: string, body: string): Promise<Answer | 'reset'> {
    if (lie?.kind === 'delay') await sleep(lie.ms)
    if (lie?.kind === 'held') await lie.until
    if (lie?.kind === 'throttle')
      return refused(429, 'TooManyRequestsException', 'Maximum sending rate exceeded.')
    if (lie?.kind === 'quota') return refused(400, 'LimitExceededException', 'Daily message quota exceeded.')
    if (lie?.kind === 'answer' && lie.when === 'before') return refused(lie.status, lie.type, lie.message)
    if (lie?.kind === 'reset' && lie.when === 'before') return 'reset'
    const { answer, taken } = accept(path, body, rules, lie?.kind === 'entries' ? lie.results : {})
    ledger.note(taken)
    const told = tell(taken)
    if (reports?.isEarly) await told
    if (lie?.kind === 'answer') return refused(lie.status, lie.type, lie.message)
    return lie?.kind === 'reset' ? 'reset' : answer
  }

  /** One mail after another, each in the order in which things happen. */
  function tell(taken: readonly TakenMail[]): Promise<void> {
    const telling = (async () => {
      if (reports) for (const mail of taken) for (const what of reportsOf(mail)) await report(mail, what)
    })()
    reporting.add(telling)
    return telling.finally(() => reporting.delete(telling))
  }

  async function report(mail: TakenMail, what: ReportKind): Promise<void> {
    if (!reports) throw new Error('this simulator has nobody to report to')
    await reports.sns.publish(reportOf(mail, what, reports.form ?? 'configuration-set', new Date(now())))
  }

  const server = createServer((request, response) => {
    answerTo(request).then(
      (answer) => {
        if (answer === 'reset') return void request.socket.resetAndDestroy()
        const type = answer.type ? { 'x-amzn-errortype': answer.type } : {}
        response.writeHead(answer.status, { ...JSON_TYPE, ...type }).end(JSON.stringify(answer.body))
      },
      () => request.socket.destroy(),
    )
  })
  const loopback = await onLoopback(server)

  return {
    url: loopback.url,
    accessKeyId,
    secretAccessKey,
    region,
    ledger: ledger.taken,
    calls,
    questions: () => questions,
    lieNext: (...faults) => void planned.push(...faults),
    lieBy: (next) => {
      schedule = next
    },
    report,
    async close() {
      await Promise.allSettled(reporting)
      await loopback.close()
      ledger.close()
    },
  }
}
