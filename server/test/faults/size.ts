/**
 * How much is done: `npm test` runs every scenario small (further ways to be frozen, and further providers that lie or
 * are down, are left to `npm run test:all`), `npm run faults` at full size, FAULTS=long also those that take many minutes.
 */
type Size = 'ci' | 'full' | 'long'

const wish = process.env['FAULTS']
export const SIZE: Size = wish === 'full' || wish === 'long' ? wish : 'ci'

export const sized = <T>({ ci, full, long = full }: { ci: T; full: T; long?: T }): T =>
  ({ ci, full, long })[SIZE]

/** Seeds of a scenario that is repeated with other chances; FAULTS_SEED repeats one run. */
export const seeds = (count: { ci: number; full: number }): number[] => {
  const wished = process.env['FAULTS_SEED']
  return wished ? [Number(wished)] : Array.from({ length: sized(count) }, (_, index) => index + 1)
}

/** For a test of this many seconds at full size, and twice that where others take the half of the machine. */
export const timeLimit = (fullSeconds: number): number | undefined =>
  sized({ ci: undefined, full: fullSeconds * 2000 })

/** The same for one that only the thorough tests play small. */
export const furtherWay = (fullSeconds: number, isFurther = true): { tags?: string; timeout?: number } => {
  const timeout = timeLimit(fullSeconds)
  return { ...(isFurther && { tags: 'thorough' }), ...(timeout !== undefined && { timeout }) }
}
