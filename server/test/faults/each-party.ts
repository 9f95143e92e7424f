import { countersThatDiffer } from './counters.ts'
import { type Demands, demandsOf } from './demands.ts'
import type { Party, Stage } from './stage.ts'

/** A party as the auditor takes it; the counters of all of them are recounted together. */
export type Scene = Party & { databaseUrl: null }

/** Plays the same for all users of a stage, at once or in turn; each has figures of their own in the table. */
export async function eachParty(
  stage: Pick<Stage, 'parties' | 'databaseUrl'>,
  scenario: string,
  play: (party: Scene, demands: Demands) => Promise<void>,
  { isInTurn = false } = {},
): Promise<void> {
  const casts = stage.parties.map((party) => ({
    party: { ...party, databaseUrl: null },
    demands: demandsOf(`${scenario} ${party.ledger.kind}`),
  }))
  if (isInTurn) for (const { party, demands } of casts) await play(party, demands)
  else await Promise.all(casts.map(({ party, demands }) => play(party, demands)))
  const differing = await countersThatDiffer(stage.databaseUrl)
  for (const { demands } of casts) {
    demands.none('I6 counters that differ from the deliveries', differing)
    demands.hold()
  }
}
