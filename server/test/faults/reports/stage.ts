import { afterAll } from 'vitest'
import type { Settings } from '../../../../contract/settings.ts'
import { startSnsSimulator } from '../../simulators/sns.ts'
import type { HttpKind, LedgerKind } from '../ledger/protocol.ts'
import { OWN_KINDS, type OwnKind } from '../own-accounts.ts'
import { aStage, type Party } from '../stage.ts'
import { mailgunScheme, resendScheme, type Scheme, sendgridScheme, sesScheme } from './schemes.ts'

/** A provider that reports to Postrider, and where to. */
export type Reporter = Scheme & { url: string }

/** One user for each provider that reports, and the reporters. */
type ReportingStage = AsyncDisposable & {
  parties: readonly Party[]
  databaseUrl: string
  /** Kills Postrider and starts it again. */
  killAndStart: () => Promise<void>
  reporterOf: (party: { ledger: { kind: LedgerKind } }) => Reporter
}

/** One for all scenarios of a file, which are played in turn: to set it up takes longer than most of them. */
let shared: Promise<ReportingStage> | null = null
export const theReportingStage = (): Promise<ReportingStage> => {
  shared ??= aReportingStage()
  return shared
}
afterAll(async () => {
  await (await shared)?.[Symbol.asyncDispose]()
})

async function aReportingStage(): Promise<ReportingStage> {
  await using opened = new AsyncDisposableStack()
  const sns = opened.adopt(await startSnsSimulator(), (one) => one.close())
  const schemes: Record<HttpKind, Scheme> = {
    resend: resendScheme(),
    sendgrid: sendgridScheme(),
    mailgun: mailgunScheme(),
    ses: sesScheme(sns),
  }
  const stage = opened.use(
    await aStage({
      ledger: 'resend',
      own: OWN_KINDS,
      all: true,
      together: true,
      env: { RESEND_WEBHOOK_SECRET: schemes.resend.key, SNS_CERT_BASE_URL: sns.url.href },
    }),
  )
  const reporters = new Map<LedgerKind, Reporter>([
    ['resend', { ...schemes.resend, url: `${stage.web.url}/api/webhooks/resend/product` }],
  ])
  for (const kind of OWN_KINDS) {
    const party = stage.parties.find(({ ledger }) => ledger.kind === kind)
    reporters.set(kind, { ...schemes[kind], url: await addressFor(kind, schemes[kind], party) })
  }

  const all = opened.move()
  return {
    parties: stage.parties,
    databaseUrl: stage.databaseUrl,
    async killAndStart() {
      await stage.worker.end('SIGKILL')
      await stage.worker.start()
    },
    reporterOf({ ledger }) {
      const reporter = reporters.get(ledger.kind)
      if (!reporter) throw new Error(`${ledger.kind} reports nothing`)
      return reporter
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Stores the key, and answers where the settings say that reports go. */
async function addressFor(kind: OwnKind, { key }: Scheme, party: Party | undefined): Promise<string> {
  const saved: Settings | undefined = await party?.client.save({ provider: kind, webhookSigningKey: key })
  if (!saved?.webhookUrl) throw new Error(`there is no address for the reports of ${kind}`)
  return saved.webhookUrl
}
