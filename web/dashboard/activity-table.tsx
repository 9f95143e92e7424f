import type { EmailActivity } from '../../contract/stats.ts'
import { inWords } from '../ui/words.ts'
import { dayWords } from './activity-words.ts'

/** The same days for those who do not see the bars. */
export function ActivityTable({ days }: { days: EmailActivity }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Emails that you sent off on each of the last 7 days</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Sent</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{dayWords(day)}</th>
              <td>{inWords(day.sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
