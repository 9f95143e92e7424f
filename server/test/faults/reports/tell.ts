import { randomUUID } from 'node:crypto'
import { until } from '../../until.ts'
import type { Campaign } from '../client.ts'
import type { Reported } from '../deliveries.ts'
import type { Party } from '../stage.ts'
import { tagOf } from './model.ts'
import { post } from './post.ts'
import type { Flaw, Told } from './schemes.ts'
import type { Reporter } from './stage.ts'
import type { Kind } from './words.ts'

/** A campaign of which the provider has taken every mail and answered no call, until it is told to. */
export async function held({ ledger, client }: Party, name: string, count: number): Promise<Campaign> {
  await ledger.behave({ isHolding: true })
  const campaign = await client.send(name, count)
  await until('all mails are taken, and no call is answered', async () => {
    const taken = await ledger.acceptances()
    return taken.filter(({ to }) => to.startsWith(`${name}-`)).length === count
  })
  return campaign
}

export const eventOf = (delivery: Reported, kind: Kind, at = new Date()): Told => ({
  id: randomUUID(),
  tag: tagOf(delivery),
  address: delivery.address,
  kind,
  at,
})

/** One call after another, in this order. */
export async function tell(
  reporter: Reporter,
  events: readonly Told[],
  flaw: Flaw | null = null,
): Promise<void> {
  for (const event of events) {
    const { status } = await post(reporter.url, reporter.call([event], flaw))
    if (status !== (flaw ? 401 : 200)) throw new Error(`the webhook answered ${status}`)
  }
}
