import type { Stats } from '../../contract/stats.ts'
import { inWords } from '../ui/words.ts'

type Counts = Pick<Stats, 'total' | 'totalUnconfirmed' | 'totalSuppressed' | 'totalCancelled'>

/** Whom the cards beside the total do not name, in a sentence: some of the total, and some who are not in it. */
export function accountOf({ total, totalUnconfirmed, totalSuppressed, totalCancelled }: Counts): string {
  const spared = [
    totalSuppressed > 0 && `${inWords(totalSuppressed)} left out`,
    totalCancelled > 0 && `${inWords(totalCancelled)} cancelled`,
  ].filter((part) => part !== false)
  const others = [
    totalUnconfirmed > 0 && `${inWords(totalUnconfirmed)} unconfirmed: nobody knows whether they were taken`,
    spared.length > 0 && `not counted as sent: ${spared.join(', ')}`,
  ].filter((part) => part !== false)
  if (others.length > 0) return others.join(' · ')
  if (total === 0) return 'Every recipient will be accounted for here.'
  return total === 1
    ? 'The one recipient is accounted for.'
    : `All ${inWords(total)} recipients are accounted for.`
}
