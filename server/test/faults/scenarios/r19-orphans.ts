import { describe, it } from 'vitest'
import { audit } from '../auditor.ts'
import type { Campaign } from '../client.ts'
import { readReported } from '../deliveries.ts'
import { eachParty, type Scene } from '../each-party.ts'
import { IN_HAND, MAILS_A_CALL, SETTLE_MS } from '../figures.ts'
import { several } from '../reports/post.ts'
import { theReportingStage } from '../reports/stage.ts'
import { eventOf, held, tell } from '../reports/tell.ts'
import { SIZE, timeLimit } from '../size.ts'

// It waits for a lease to run out; small, it would add nothing but that time to what R1 and R19 show.
describe.skipIf(SIZE === 'ci')(
  'R19 Postrider dies between the report of a mail and the answer to its call',
  () => {
    it('and whoever was reported is not in doubt', play, timeLimit(120))
  },
)

async function play(): Promise<void> {
  const stage = await theReportingStage()
  const sent = new Map<Scene['client'], { campaign: Campaign; reported: Set<string> }>()
  await Promise.all(
    stage.parties.map(async (party) => {
      const campaign = await held(party, 'orphan', MAILS_A_CALL)
      const half = (await readReported(party.client, campaign.id)).filter((_, index) => index % 2 === 0)
      await several(half, (one) => tell(stage.reporterOf(party), [eventOf(one, 'accepted')]))
      sent.set(party.client, { campaign, reported: new Set(half.map(({ address }) => address)) })
    }),
  )
  await stage.killAndStart()
  for (const { ledger } of stage.parties) {
    await ledger.behave({ isHolding: false })
    await ledger.release()
  }

  await eachParty(stage, 'R19 orphans', async (party, demands) => {
    const own = sent.get(party.client)
    if (!own) throw new Error('nobody has sent anything')
    await party.client.settled(own.campaign.id, SETTLE_MS)
    const doubtful = IN_HAND[party.ledger.kind] > 0 ? MAILS_A_CALL - own.reported.size : 0
    const deliveries = await audit(party, [own.campaign], demands, { unknown: doubtful })
    demands.none(
      'reported, and in doubt all the same',
      deliveries.flatMap(({ address, state }) =>
        own.reported.has(address) && state !== 'accepted' ? [`${address} (${state})`] : [],
      ),
    )
  })
}
