import type { Metrics } from '../platform/metrics.ts'
import type { Outcome } from '../providers/provider.ts'

/** As they call themselves; the relay is the operator's own. */
export const PROVIDERS = [
  'Local mailbox',
  'Resend',
  'SMTP relay',
  'SMTP',
  'SendGrid',
  'Mailgun',
  'Amazon SES',
] as const

const OUTCOMES: Readonly<Record<Outcome['kind'], true>> = {
  accepted: true,
  rejected: true,
  'try-later': true,
  unknown: true,
  'not-begun': true,
}

/** What there is to send, and what this worker does about it, in numbers for the operator. */
export function addMetricsOfSending(metrics: Metrics, countDue: () => Promise<number>) {
  const outcomes = metrics.counter(
    'postrider_outcomes_total',
    'What providers made of mails, by provider and outcome',
  )
  const lost = metrics.counter(
    'postrider_leases_lost_total',
    'Windows of deliveries that another worker took over',
  )
  // Told as nothing from the beginning: who looks for growth does not see a number that begins with its first one.
  for (const provider of PROVIDERS)
    for (const outcome of Object.keys(OUTCOMES)) outcomes({ provider, outcome }, 0)
  lost({}, 0)

  metrics.gauge(
    'postrider_campaigns_due',
    'Campaigns with mail that could leave now and that no worker has in hand',
    async () => [{ value: await countDue() }],
  )

  return {
    answered(provider: string, all: readonly Pick<Outcome, 'kind'>[]): void {
      for (const { kind } of all) outcomes({ provider, outcome: kind })
    },
    lost: (windows: number): void => lost({}, windows),
  }
}
