import type { RecipientsView } from './recipient-list.ts'
import { number, plural } from './words.ts'

/** One line that says what the send button will do, or what it waits for. */
export function outlookOf({ all, duplicates, badCount, isReading }: RecipientsView, subject: string): string {
  const ignored =
    duplicates > 0 && `${number(duplicates)} ${plural(duplicates, 'duplicate', 'duplicates')} ignored`
  if (isReading) return 'Reading the list…'
  if (all.length === 0) return join('Add a recipient to send', ignored)
  const people = `${number(all.length)} ${plural(all.length, 'person', 'people')}`
  const wrong = badCount > 0 && `${number(badCount)} ${plural(badCount, 'looks', 'look')} wrong`
  if (subject.trim() === '') return join(`Add a subject to send to ${people}`, ignored, wrong)
  return join(`To ${people}`, ignored, wrong)
}

const join = (...parts: (string | false)[]): string => parts.filter(Boolean).join(' · ')
