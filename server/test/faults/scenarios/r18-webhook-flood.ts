import { randomUUID } from 'node:crypto'
import { describe, it } from 'vitest'
import { chanceOf, mulberry32 } from '../chance.ts'
import type { Campaign } from '../client.ts'
import { type Reported, readReported } from '../deliveries.ts'
import type { Demands } from '../demands.ts'
import { eachParty, type Scene } from '../each-party.ts'
import { SETTLE_MS } from '../figures.ts'
import { countsOf, inWords, modelOf, rowOf, tagOf } from '../reports/model.ts'
import { type Posted, post, several } from '../reports/post.ts'
import type { Flaw, Scheme, Told } from '../reports/schemes.ts'
import { type Reporter, theReportingStage } from '../reports/stage.ts'
import { KINDS } from '../reports/words.ts'
import { SIZE, sized, timeLimit } from '../size.ts'

const EVENTS = sized({ ci: 500, full: 10_000 })
const EVENTS_OF_A_MAIL = 3
const RECIPIENTS = Math.ceil(EVENTS / EVENTS_OF_A_MAIL)
const TIMES = 3
const PER_SECOND = sized({ ci: Number.POSITIVE_INFINITY, full: 500 })

describe('R18 providers flood us with reports', () => {
  it('of which each counts once, and a forged or an old one not at all', play, timeLimit(900))
})

async function play(): Promise<void> {
  const stage = await theReportingStage()
  const sent = new Map<Scene['client'], { campaign: Campaign; deliveries: Reported[] }>()
  await Promise.all(
    stage.parties.map(async ({ client }) => {
      const campaign = await client.send('flooded', RECIPIENTS)
      await client.settled(campaign.id, 2 * SETTLE_MS)
      sent.set(client, { campaign, deliveries: await readReported(client, campaign.id) })
    }),
  )
  /** Of everybody: a user's account may not speak of another user's mail. */
  const tags = [...sent].map(([client, { deliveries }]) => ({ client, tags: deliveries.map(tagOf) }))

  await eachParty(
    stage,
    'R18',
    async (party, demands) => {
      const own = sent.get(party.client)
      if (!own) throw new Error('nobody has sent anything')
      const others = tags.filter(({ client }) => client !== party.client).flatMap((one) => one.tags)
      const events = eventsOf(own.deliveries, others)
      await flood(stage.reporterOf(party), events, demands)
      await compare(party, own.campaign, events, demands)
    },
    // Side by side they would measure each other.
    { isInTurn: SIZE !== 'ci' },
  )
}

type Event = Told & { flaw: Flaw | null; isUnknown: boolean }

/** Each fact is told by one event only, so that the effect of one that must have none would be seen. */
function eventsOf(deliveries: readonly Reported[], strangers: readonly string[]): Event[] {
  const events = deliveries.flatMap((delivery, index) => {
    const kinds = shuffled(KINDS, mulberry32(index)).slice(0, EVENTS_OF_A_MAIL)
    return kinds.map((kind): Event => {
      const chance = chanceOf(18, delivery.address, kind)
      const isUnknown = chance >= 0.1 && chance < 0.15
      return {
        id: randomUUID(),
        tag: isUnknown ? unknownTag(index, tagOf(delivery), strangers) : tagOf(delivery),
        address: delivery.address,
        kind,
        // Whole seconds, since SendGrid tells no others.
        at: new Date((Math.floor(Date.now() / 1000) - KINDS.indexOf(kind)) * 1000),
        flaw: chance < 0.05 ? 'forged' : chance < 0.1 ? 'old' : null,
        isUnknown,
      }
    })
  })
  return events.slice(0, EVENTS)
}

/** Nobody's; one past the end of the campaign; another user's; none that could be ours. */
function unknownTag(index: number, tag: string, strangers: readonly string[]): string {
  const tags = [
    `${randomUUID().replaceAll('-', '')}-1`,
    tag.replace(/\d+$/, String(RECIPIENTS + 1)),
    strangers[index % strangers.length] ?? '',
    'newsletter',
  ]
  return tags[(index >> 2) % tags.length] ?? ''
}

async function flood(reporter: Reporter, events: readonly Event[], demands: Demands): Promise<void> {
  const calls = shuffled(callsOf(reporter, events), mulberry32(18))
  const wrong: string[] = []
  const times: number[] = []
  await several(
    calls,
    async ({ call, flaw }) => {
      const { status, milliseconds }: Posted = await post(reporter.url, call)
      times.push(milliseconds)
      const refusals = { forged: 401, old: reporter.oldStatus ?? 401 }
      if (status !== (flaw ? refusals[flaw] : 200))
        wrong.push(`${status} to a call that is ${flaw ?? 'well signed'}`)
    },
    PER_SECOND,
  )
  demands.note('events, each told three times', events.length)
  for (const flaw of ['forged', 'old'] as const)
    demands.atLeast(flaw, EVENTS / 40, events.filter((event) => event.flaw === flaw).length)
  demands.atLeast('of an unknown mail', EVENTS / 40, events.filter(({ isUnknown }) => isUnknown).length)
  demands.none('wrong answers', wrong)
  demands.note('calls', calls.length)
  if (SIZE === 'ci') return
  // What a machine with other work to do would show is that work.
  times.sort((one, other) => one - other)
  demands.atMost(`99 of 100 are answered within`, 250, times[Math.floor(times.length * 0.99)] ?? 0, 'ms')
}

/** Every event as often as it comes, in calls of one kind of flaw each: a signature is that of a whole call. */
function callsOf({ batchMax, call, again }: Scheme, events: readonly Event[]) {
  const flaws: (Flaw | null)[] = [null, 'forged', 'old']
  return flaws.flatMap((flaw) => {
    const told = events.filter((event) => event.flaw === flaw)
    const all = shuffled(
      Array.from({ length: TIMES }, (_, time) =>
        told.map((event) => (time === 1 ? again(event) : event)),
      ).flat(),
      mulberry32(batchMax),
    )
    return Array.from({ length: Math.ceil(all.length / batchMax) }, (_, index) => {
      const batch = all.slice(index * batchMax, (index + 1) * batchMax)
      // Signed before the flood: what a signature takes is the sender's time, and not that of the answer.
      return { flaw, call: call(batch, flaw) }
    })
  })
}

async function compare(
  { client }: Scene,
  { id, recipients }: Campaign,
  events: readonly Event[],
  demands: Demands,
): Promise<void> {
  const model = modelOf(
    recipients,
    events.filter(({ flaw, isUnknown }) => flaw === null && !isUnknown),
  )
  const shown = await readReported(client, id)
  demands.none(
    'deliveries that differ from the model',
    shown
      .filter((one) => JSON.stringify(rowOf(one)) !== JSON.stringify(model.get(one.address)))
      .map(
        (one) =>
          `${one.address} ${JSON.stringify(rowOf(one))} instead of ${JSON.stringify(model.get(one.address))}`,
      ),
  )
  const detail = await client.look(id)
  demands.exactly('counts of the model', countsOf([...model.values()]), detail ? inWords(detail) : 'none')
  demands.exactly('accepted', recipients.length, detail?.counts.accepted ?? -1)
}

function shuffled<Item>(items: readonly Item[], chance: () => number): Item[] {
  return items
    .map((item) => ({ item, rank: chance() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item)
}
