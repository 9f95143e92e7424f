import { setTimeout as sleep } from 'node:timers/promises'
import { it } from 'vitest'
import { SendEmailResponse } from '../../../../contract/campaigns.ts'
import { machineNow, millisecondsSince } from '../../machine-clock.ts'
import { until } from '../../until.ts'
import { alone } from '../alone.ts'
import { audit } from '../auditor.ts'
import { addresses, expectOk } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { SETTLE_MS, secondsSince } from '../figures.ts'
import { sized, timeLimit } from '../size.ts'
import { aStage } from '../stage.ts'

const SILENT = 3
const OTHERS = sized({ ci: 500, full: 5_000 })
const SOCKETS = 10
const PATIENCE = 10
/** The whole ledger is gone through for it, by the machine that is to send meanwhile. */
const COUNT_EVERY_MS = 250

alone('R12 the mail server falls silent after the dot', () => {
  it('for some mails, and the others do not wait for them', play, timeLimit(120))
})

async function play(): Promise<void> {
  const demands = demandsOf('R12')
  await using stage = await aStage({ ledger: 'smtp', together: true })
  const { ledger, client } = stage
  await ledger.behave({ always: { silent: 'silence' }, delayMs: 10 })
  const recipients = scattered(addresses('silent', SILENT), addresses('other', OTHERS))
  const { id } = SendEmailResponse.parse(expectOk(await client.post(recipients)))

  const start = machineNow()
  let slowest = 0
  let sent = 0
  let counted = start
  while (sent < OTHERS && secondsSince(start) < PATIENCE) {
    const { status, milliseconds } = await client.call('GET', `/api/email-history/${id}`)
    if (status === 200) slowest = Math.max(slowest, milliseconds)
    await sleep(20)
    if (millisecondsSince(counted) < COUNT_EVERY_MS) continue
    counted = machineNow()
    sent = (await ledger.acceptances()).length
  }
  demands.exactly(`others sent within ${PATIENCE} s`, OTHERS, sent)
  demands.note('all others sent', secondsSince(start), 's')
  demands.atMost('slowest answer of the API', 1, slowest / 1000, 's')
  demands.atMost('connections at once', SOCKETS, (await ledger.report()).mostConnections)
  // What the server has taken is written down a moment later.
  let waiting = OTHERS
  await until('the others are written down', async () => {
    waiting = (await client.look(id))?.counts.inFlight ?? waiting
    return waiting <= SILENT
  })
  demands.exactly('still waiting for an answer', SILENT, waiting)

  // In truth one waits ten minutes; that the connection breaks is the other way for such a wait to end.
  // One that had been announced behind another comes again, and finds silence of its own.
  await ledger.behave({ always: { silent: 'drop-at-dot' } })
  await ledger.cut()
  await client.settled(id, SETTLE_MS)
  const deliveries = await audit(stage, [{ id, recipients }], demands, { unknown: SILENT })
  demands.exactly(
    'unconfirmed',
    SILENT,
    deliveries.filter(({ address, state }) => state === 'unknown' && address.startsWith('silent')).length,
  )
  demands.hold()
}

/** Over the whole list: what is sent together never waits for one that is sent elsewhere. */
function scattered(few: readonly string[], many: readonly string[]): string[] {
  const part = Math.ceil(many.length / few.length)
  return few.flatMap((one, index) => [one, ...many.slice(index * part, (index + 1) * part)])
}
