import type { RecipientsView } from './recipient-list.ts'
import { number, plural } from './words.ts'

/**
 * One line that says what the send button will do, or what it waits for. Who is left out is not among those it goes to,
 * and is told after it.
 */
export function outlookOf(
  { all, duplicates, badCount, isReading }: RecipientsView,
  subject: string,
  leftOut = 0,
): string {
  const ignored =
    duplicates > 0 && `${number(duplicates)} ${plural(duplicates, 'duplicate', 'duplicates')} ignored`
  if (isReading) return 'Reading the list…'
  if (all.length === 0) return join('Add a recipient to send', ignored)
  const count = all.length - leftOut
  const people = `${number(count)} ${plural(count, 'person', 'people')}`
  const wrong = badCount > 0 && `${number(badCount)} ${plural(badCount, 'looks', 'look')} wrong`
  if (count === 0) return join('Nobody would get this email', ignored, wrong)
  if (subject.trim() === '') return join(`Add a subject to send to ${people}`, ignored, wrong)
  return join(`To ${people}`, ignored, wrong)
}

const join = (...parts: (string | false)[]): string => parts.filter(Boolean).join(' · ')
