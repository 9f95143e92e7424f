import { refusalOf } from './mail-safety.ts'
import type { Copy, Letter, Outcome } from './provider.ts'

/** Answers itself for the copies that may not leave, and puts what `send` says of the others back in their places. */
export async function sendTheRest(
  letter: Letter,
  copies: readonly Copy[],
  send: (sound: Copy[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const refusals = copies.map((copy) => refusalOf(letter, copy))
  const sound = copies.filter((_, index) => refusals[index] === null)
  const answers = (sound.length > 0 ? await send(sound) : []).values()
  return refusals.map(
    (refusal) =>
      refusal ?? answers.next().value ?? { kind: 'unknown', reason: 'The provider gave no outcome' },
  )
}
