import type { Stats } from '../../contract/stats.ts'

type Counts = Pick<Stats, 'total' | 'totalUnconfirmed' | 'totalSuppressed' | 'totalCancelled'>

const number = new Intl.NumberFormat('en-US')

/** What the four cards leave out of the total, in a sentence. */
export function accountOf({ total, totalUnconfirmed, totalSuppressed, totalCancelled }: Counts): string {
  if (total === 0) return 'Every recipient will be accounted for here.'
  const others = [
    totalUnconfirmed > 0 &&
      `${number.format(totalUnconfirmed)} unconfirmed: nobody knows whether they were taken`,
    totalSuppressed > 0 && `${number.format(totalSuppressed)} left out`,
    totalCancelled > 0 && `${number.format(totalCancelled)} cancelled`,
  ].filter((part) => part !== false)
  if (others.length > 0) return others.join(' · ')
  return total === 1
    ? 'The one recipient is accounted for.'
    : `All ${number.format(total)} recipients are accounted for.`
}
