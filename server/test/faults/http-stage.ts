import { type Cast, EVERYBODY_BY_HTTP, kindsOf } from './casts.ts'
import { stageFor } from './shared-stage.ts'
import { SIZE } from './size.ts'
import { aStage, type Party, type Stage } from './stage.ts'

const everybody = stageFor(() => aStage({ ...EVERYBODY_BY_HTTP, together: true }))

/**
 * In the small size whoever sends by HTTP plays on the one stage where all of them are, one scenario after the other. It
 * ends with the file that they are played in, so all of them belong into one.
 */
export async function playWith(cast: Cast, play: (stage: Stage) => Promise<void>): Promise<void> {
  if (SIZE === 'ci' && cast.ledger === EVERYBODY_BY_HTTP.ledger) {
    const kinds = new Set<string>(kindsOf(cast))
    const isCast = ({ ledger }: Party) => kinds.has(ledger.kind)
    return everybody((stage) => play({ ...stage, parties: stage.parties.filter(isCast) }))
  }
  await using stage = await aStage({ ...cast, together: true })
  await play(stage)
}
