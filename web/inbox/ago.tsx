import { dateWords } from '../ui/words.ts'
import { agoWords } from './time-words.ts'
import { useNow } from './use-now.ts'

/** How long ago, and it stays true while one looks. The exact time comes with the pointer. */
export function Ago({ date, className }: { date: string; className?: string }) {
  const now = useNow()
  const moment = new Date(date)
  // What came in since the clock last ticked is not in the future.
  const words = agoWords(moment, moment > now ? moment : now)
  return (
    <time dateTime={date} title={dateWords(date)} className={className}>
      {words}
    </time>
  )
}
