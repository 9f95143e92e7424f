import { setImmediate } from 'node:timers/promises'
import type { ReturnPaths } from '../delivery/return-paths.ts'
import type { DeliveryService } from '../delivery/service.ts'
import type { Log } from '../platform/log.ts'
import { createReceiver, type Receiver } from './receiver.ts'
import { createRecipientOf } from './recipients.ts'
import { eventsOf } from './reports.ts'

type Needs = {
  domain: string
  returnPaths: Pick<ReturnPaths, 'read'>
  delivery: Pick<DeliveryService, 'record'>
  log: Log
}

/** The mail that reaches this installation: so far what comes back of its own. */
export function createInbound({ domain, returnPaths, delivery, log }: Needs): Receiver {
  const inTurn = createTurns()
  return createReceiver({
    domain,
    log,
    recipientOf: createRecipientOf(returnPaths),
    async take(raw, recipients) {
      const deliveries = recipients.map(({ delivery }) => delivery)
      const events = await inTurn(() => eventsOf(raw, deliveries, new Date()))
      if (events.length === 0) log.debug({ deliveries }, 'a mail to a return path was no report')
      else await delivery.record(null, events)
    },
  })
}

/** One after the other, with room for all else in between: a hundred mails that end together take seconds to read. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(() => setImmediate()).then(work)
    last = done.catch(() => {})
    return done
  }
}
