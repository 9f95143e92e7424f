import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Transaction } from '../platform/database.ts'
import { type JobKind, type Jobs, TryAgain } from '../platform/jobs.ts'
import type { Log } from '../platform/log.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Copy, Letter, Outcome, Provider } from '../providers/provider.ts'
import { MailContent, renderMail } from './layout.ts'

const ProductMail = z.object({ to: z.string(), subject: z.string(), content: MailContent })
/** A mail of the product itself: a code, a link, a notice. */
export type ProductMail = z.infer<typeof ProductMail>

export type JobData = { id: string; sealed: string }

/**
 * A lost code mail is worse than two, so doubt means another try: after 2 to 4 s, then twice as long each time up to
 * 2 minutes, 34 times, which is about an hour.
 */
export const PRODUCT_MAIL: JobKind<JobData> = {
  name: 'product-mail',
  options: {
    notify: true,
    retryLimit: 34,
    retryDelay: 2,
    retryBackoff: true,
    retryDelayMax: 120,
    // A worker that was killed stops its heartbeat: these 15 s, the supervisor's 10 and the first delay make 30.
    heartbeatSeconds: 15,
    // A backstop, longer than the slowest provider's timeouts together: a relay may take ten minutes to answer, and whoever
    // is given up before that is sent another copy by each try.
    expireInSeconds: 1200,
    // What waits longer holds a code that expired long ago; what is done is not kept, sealed or not.
    retentionSeconds: 2 * 3600,
    deleteAfterSeconds: 600,
  },
}

export type ProductMailService = {
  /** Leaves together with what the transaction commits, or not at all. */
  send(tx: Transaction, mail: ProductMail): Promise<void>
  /** Starts sending what is queued, in this process. */
  work(): Promise<void>
}

type Dependencies = {
  jobs: Pick<Jobs, 'enqueue' | 'work'>
  secrets: Pick<Secrets, 'seal' | 'open'>
  provider: Pick<Provider, 'send'>
  mailFrom: string
  log: Log
}

export function createProductMail({
  jobs,
  secrets,
  provider,
  mailFrom,
  log,
}: Dependencies): ProductMailService {
  async function deliver({ id, sealed }: JobData, signal: AbortSignal): Promise<void> {
    const mail = ProductMail.parse(JSON.parse(secrets.open(placeOf(id), sealed)))
    const [outcome] = await provider.send(letterOf(mail, mailFrom), [copyOf(id, mail, mailFrom)], signal)
    settle(id, mail, outcome ?? { kind: 'unknown', reason: 'The provider gave no outcome' })
  }

  function settle(id: string, mail: ProductMail, outcome: Outcome): void {
    if (outcome.kind === 'accepted') return
    if (outcome.kind === 'not-begun') throw new TryAgain('not begun')
    const reason = withoutContent(outcome.reason, mail)
    if (outcome.kind === 'rejected') {
      log.warn({ mail: id, reason }, 'a mail of the product was refused and is given up')
      return
    }
    const { kind } = outcome
    log.warn({ mail: id, reason, outcome: kind }, 'a mail of the product did not leave and is tried again')
    // The queue writes the message of this error into the database.
    throw new TryAgain(`${kind}: ${reason}`)
  }

  return {
    async send(tx, mail) {
      const id = randomUUID()
      const sealed = secrets.seal(placeOf(id), JSON.stringify(ProductMail.parse(mail)))
      await jobs.enqueue(tx, PRODUCT_MAIL, { id, sealed })
    },
    work: () => jobs.work(PRODUCT_MAIL, deliver),
  }
}

export const placeOf = (id: string): string => `product-mail:${id}`

const letterOf = ({ subject, content }: ProductMail, mailFrom: string): Letter => ({
  from: { name: 'Postrider', address: mailFrom },
  replyTo: null,
  subject,
  ...renderMail(content),
  // No out-of-office notes in answer to a code.
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
})

/** Everything that tells one mail from another is a function of its id: each try is the same mail. */
const copyOf = (id: string, { to }: ProductMail, mailFrom: string): Copy => ({
  to: { name: '', address: to },
  messageId: `<${id}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
  idempotencyKey: `product-mail/${id}`,
  headers: {},
})

/** Providers like to repeat what they refuse; the log and the queue's table must hold no address, code or link. */
function withoutContent(reason: string, { to, subject, content }: ProductMail): string {
  let words = reason.replace(/https?:\/\/\S+/g, '…')
  for (const secret of [to, subject, content.code]) if (secret) words = words.replaceAll(secret, '…')
  return words.replace(/[^\s<>"'(]+@[^\s<>"')]+/g, '…')
}
