import type { EmailActivity } from '../../contract/stats.ts'
import { dateWriter, inWords } from '../ui/words.ts'

export type Day = EmailActivity[number]

const compact = new Intl.NumberFormat('en-US', { notation: 'compact' })
// A date without a time is the same day everywhere.
const calendar = dateWriter({ month: 'short', day: 'numeric', timeZone: 'UTC' })

/** "Mon, Nov 9" */
export const dayWords = ({ name, date }: Day): string => `${name}, ${calendar(new Date(date))}`

/** For the axis, where there is little room: "1.5K". */
export const tickWords = (value: number): string => compact.format(value)

/** "Mon, Nov 9: 1,204 emails" */
export const columnWords = (day: Day): string =>
  `${dayWords(day)}: ${inWords(day.sent)} ${day.sent === 1 ? 'email' : 'emails'}`
