import type { AddSuppressionsResponse } from '../../contract/suppressions.ts'
import { counted, inWords } from '../ui/words.ts'

const addresses = (count: number): string => counted(count, 'address', 'addresses')

/** What became of the addresses that somebody added. */
export function addedWords({ added, known }: AddSuppressionsResponse): {
  title: string
  description: string
} {
  if (added === 0)
    return {
      title: 'Nothing to Add',
      description:
        known === 1
          ? 'This address was on the list already.'
          : `All ${inWords(known)} addresses were on the list already.`,
    }
  const before = known > 0 ? ` ${inWords(known)} ${known === 1 ? 'was' : 'were'} on the list already.` : ''
  return {
    title: 'Addresses Added',
    description: `${addresses(added)} added to the suppression list.${before}`,
  }
}
