import { counted } from '../ui/words.ts'
import type { Recipient } from './recipient-address.ts'
import type { RecipientsView } from './recipient-list.ts'

/**
 * One line that says what the send button will do, or what it waits for. Neither who is left out nor what looks wrong is
 * among those it goes to; both are told after it.
 */
export function outlookOf(view: RecipientsView, subject: string, leftOut: readonly Recipient[] = []): string {
  const { all, duplicates, badCount, isReading } = view
  const ignored = duplicates > 0 && `${counted(duplicates, 'duplicate')} ignored`
  if (isReading) return 'Reading the list…'
  if (all.length === 0) return join('Add a recipient to send', ignored)
  const count = reachedOf(view, leftOut)
  const people = counted(count, 'person', 'people')
  const wrong = badCount > 0 && wrongWords(badCount)
  if (count === 0) return join(badCount === 0 && 'Nobody would get this email', ignored, wrong)
  if (subject.trim() === '') return join(`Add a subject to send to ${people}`, ignored, wrong)
  return join(`To ${people}`, ignored, wrong)
}

/** Whom an email would reach, as far as one can see. */
export const reachedOf = ({ all, badCount }: RecipientsView, leftOut: readonly Recipient[]): number =>
  all.length - badCount - leftOut.filter(({ looksRight }) => looksRight).length

export const wrongWords = (count: number): string =>
  `${counted(count, 'address looks', 'addresses look')} wrong`

const join = (...parts: (string | false)[]): string => parts.filter(Boolean).join(' · ')
