import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import { type Reported, readReported, tally } from '../deliveries.ts'
import type { Demands } from '../demands.ts'
import { eachParty, type Scene } from '../each-party.ts'
import { IN_HAND, MAILS_A_CALL, SETTLE_MS } from '../figures.ts'
import { countsOf, inWords, modelOf, rowOf } from '../reports/model.ts'
import { several } from '../reports/post.ts'
import type { Told } from '../reports/schemes.ts'
import { type Reporter, theReportingStage } from '../reports/stage.ts'
import { eventOf, held, tell } from '../reports/tell.ts'
import type { Kind } from '../reports/words.ts'
import { sized, timeLimit } from '../size.ts'

/** As many as Amazon takes with all its calls under way; so the answers to all of them can be held back at once. */
const ROUND = sized({ ci: 120, full: 200 })
const ROUNDS = sized({ ci: 1, full: 5 })
/** What happens to a mail in truth: an open needs a delivery, and a bounce may still come after it. */
const STORIES: readonly (readonly Kind[])[] = [
  ['accepted', 'delivered', 'opened', 'clicked', 'complained'],
  ['accepted', 'deferred', 'delivered', 'opened', 'bounced'],
]

describe('R19 reports come early and in any order', () => {
  it('and lead to the same end, also where they are the only proof of a mail', play, timeLimit(600))
})

async function play(): Promise<void> {
  const stage = await theReportingStage()
  await eachParty(stage, 'R19', async (party, demands) => {
    const reporter = stage.reporterOf(party)
    for (let round = 1; round <= ROUNDS; round++) await early(party, reporter, round, demands)
    // Resend recognises a repetition: there nobody stays in doubt.
    if (IN_HAND[party.ledger.kind] > 0) await proven(party, reporter, demands)
  })
}

/** Some of the events are told before the provider has answered the call, and before we have written its answer. */
async function early(party: Scene, reporter: Reporter, round: number, demands: Demands): Promise<void> {
  const { ledger, client } = party
  const campaign = await held(party, `early${round}`, ROUND)
  const tales = (await readReported(client, campaign.id)).map((delivery, index) =>
    taleOf(delivery, round * ROUND + index),
  )
  await several(tales, ({ first }) => tell(reporter, first))
  const meanwhile = await client.look(campaign.id)
  demands.exactly('in flight while they are reported', ROUND, meanwhile?.counts.inFlight ?? -1)
  await ledger.behave({ isHolding: false })
  await ledger.release()
  await client.settled(campaign.id, SETTLE_MS)
  await several(tales, ({ rest }) => tell(reporter, rest))

  const events = tales.flatMap(({ first, rest }) => [...first, ...rest])
  const model = modelOf(campaign.recipients, events)
  const shown = await readReported(client, campaign.id)
  demands.none(
    'other ends than the model’s',
    shown
      .filter((one) => JSON.stringify(rowOf(one)) !== JSON.stringify(model.get(one.address)))
      .map((one) => `${one.address} ${JSON.stringify(rowOf(one))}`),
  )
  const detail = await client.look(campaign.id)
  demands.exactly('counts of the model', countsOf([...model.values()]), detail ? inWords(detail) : 'none')
  await audit(party, [campaign], demands, { unknown: 0 })
}

type Tale = { first: Told[]; rest: Told[] }

/** Another order for each mail, and another part of it before the answer. */
function taleOf(delivery: Reported, index: number): Tale {
  const story = STORIES[index % STORIES.length] ?? []
  const now = Math.floor(Date.now() / 1000)
  const events = permutation(story, Math.floor(index / STORIES.length) * 7).map((kind) =>
    eventOf(delivery, kind, new Date((now - 60 + story.indexOf(kind)) * 1000)),
  )
  const cut = index % (story.length + 1)
  return { first: events.slice(0, cut), rest: events.slice(cut) }
}

/** The one of this number among all orders. */
function permutation<Item>(items: readonly Item[], number: number): Item[] {
  const left = [...items]
  const ordered: Item[] = []
  for (let rest = number; left.length > 0; ) {
    const place = rest % left.length
    rest = Math.floor(rest / left.length)
    ordered.push(...left.splice(place, 1))
  }
  return ordered
}

/** A call of which nobody knows whether it was taken, until an event shows that it was. */
async function proven(party: Scene, reporter: Reporter, demands: Demands): Promise<void> {
  const { ledger, client } = party
  await ledger.plan(['accept-then-drop'])
  const campaign = await client.send('proven', MAILS_A_CALL)
  const doubtful = await client.settled(campaign.id, SETTLE_MS)
  demands.exactly('unconfirmed at first', MAILS_A_CALL, doubtful.counts.unknown)
  const deliveries = await readReported(client, campaign.id)

  await several(deliveries, (one) => tell(reporter, [eventOf(one, 'delivered')], 'forged'))
  const afterForgery = tally(await readReported(client, campaign.id))
  demands.exactly('unconfirmed after forged reports', MAILS_A_CALL, afterForgery.unknown)

  // The least of all events is proof enough.
  await several(deliveries, (one, index) =>
    tell(reporter, [eventOf(one, index % 2 === 0 ? 'accepted' : 'bounced')]),
  )
  const settled = await readReported(client, campaign.id)
  demands.exactly('accepted after genuine ones', MAILS_A_CALL, tally(settled).accepted)
  demands.exactly('in doubt in words', 0, settled.filter(({ reason }) => /answer/.test(reason ?? '')).length)
  await audit(party, [campaign], demands, { unknown: 0 })
}
