/** How many had come to an end at a moment, in milliseconds of any clock. */
export type Sample = { at: number; settled: number }

/** Long enough to smooth the steps in which counts arrive, short enough to follow a provider that slows down. */
export const LOOK_BACK_MS = 30_000
/** From less than this nothing can be told. */
const SPAN_MS = 1_500

/** The samples that an estimate is made from, with one more. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (!last) return [sample]
  // Fewer than before: some were queued again, and what was measured belongs to another run.
  if (sample.settled < last.settled) return [sample]
  if (sample.settled === last.settled) return samples
  const recent = samples.filter(({ at }) => at >= sample.at - LOOK_BACK_MS)
  // One from before, at least, else a pause of half a minute would leave nothing to compare with.
  return [...(recent.length > 0 ? recent : [last]), sample]
}

/** From counts that have not moved since nothing is promised: the rest may wait an hour for another try. */
export function secondsLeft(samples: readonly Sample[], waiting: number, now: number): number | null {
  const [first, last] = [samples.at(0), samples.at(-1)]
  if (!first || !last || last.at - first.at < SPAN_MS || last.settled <= first.settled) return null
  if (now - last.at >= LOOK_BACK_MS) return null
  return (waiting * (last.at - first.at)) / (last.settled - first.settled) / 1000
}

/** Rough on purpose: nobody believes seconds. */
export function leftWords(seconds: number): string {
  if (seconds < 10) return 'a few seconds left'
  if (seconds < 50) return 'less than a minute left'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `about ${Math.max(1, minutes)} min left`
  const hours = Math.round(minutes / 60)
  if (hours < 48) return `about ${hours} h left`
  return `about ${Math.round(hours / 24)} days left`
}
