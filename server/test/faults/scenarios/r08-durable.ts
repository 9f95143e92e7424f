import { describe, it } from 'vitest'
import { COMPILE_CACHE } from '../../compile-cache.ts'
import { aGround, killDatabase } from '../../process.ts'
import { audit } from '../auditor.ts'
import { type Campaign, createClient } from '../client.ts'
import { demandsOf } from '../demands.ts'
import { IN_HAND_BY_SMTP, SETTLE_MS } from '../figures.ts'
import { aLedger } from '../ledger/ledger.ts'
import { aPostrider } from '../postrider.ts'
import { sized, timeLimit } from '../size.ts'

const ROUNDS = sized({ ci: 3, full: 100 })
const RECIPIENTS = 100

describe.concurrent('R8 Postrider and its own PostgreSQL are killed the instant a campaign is confirmed', () => {
  it('and it is there with every recipient', play, timeLimit(600))
})

/** As `npm start` runs it: one process with a database of its own. */
async function play(): Promise<void> {
  const demands = demandsOf('R8')
  await using ledger = await aLedger('smtp')
  await using ground = await aGround()
  const postrider = await aPostrider(ground, {
    ROLES: 'web,worker',
    LOG_LEVEL: 'warn',
    INBOUND_SMTP_PORT: '0',
    ...COMPILE_CACHE,
    ...ledger.env(),
  })
  const client = createClient(postrider.url)
  await client.signUp(ledger)

  const campaigns: Campaign[] = []
  const missing: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    // Both signals leave before anything else can run: the answer's bytes have just been read.
    const campaign = await client.send(`durable${round}`, RECIPIENTS)
    postrider.signal('SIGKILL')
    await killDatabase(ground.dataDir)
    await postrider.ended()
    await postrider.start()
    campaigns.push(campaign)
    const counted = (await client.look(campaign.id))?.recipientCount ?? 0
    if (counted !== RECIPIENTS) missing.push(`round ${round}: ${counted} recipients`)
  }
  demands.none('confirmed campaigns that lack somebody', missing)
  for (const { id } of campaigns) await client.settled(id, SETTLE_MS)
  await audit({ client, ledger, databaseUrl: null }, campaigns, demands, {
    unknown: IN_HAND_BY_SMTP * ROUNDS,
  })
  demands.hold()
}
