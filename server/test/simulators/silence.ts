import { aStoppedClock } from '../stopped-clock.ts'

type Held = { kind: 'held'; until: Promise<unknown> }

/** So long after a provider has got the call, and has not answered it; no clock decides when that is. */
export async function inSilence<Result>(
  provider: { lieBy(schedule: (call: number) => Held | null): void },
  milliseconds: number,
  call: () => Promise<Result>,
): Promise<Result> {
  const { promise: called, resolve: comesIn } = Promise.withResolvers<void>()
  provider.lieBy(() => {
    comesIn()
    return { kind: 'held', until: new Promise(() => {}) }
  })
  using clock = aStoppedClock()
  const calling = call()
  await called
  await clock.pass(milliseconds)
  return calling
}
