import type { HistoryEntry } from '../../contract/campaigns.ts'
import { classes } from '../ui/classes.ts'
import { solidTone } from '../ui/tones.ts'
import { isReported, summaryOf } from './delivery-summary.ts'

export function DeliveryCell({ entry }: { entry: HistoryEntry }) {
  return (
    <span className="flex min-w-0 flex-wrap justify-end gap-x-3 text-sm @3xl:justify-start">
      {!isReported(entry) && <span className="text-muted">Pending...</span>}
      {summaryOf(entry).map(({ name, value, tone }) => (
        <span key={name} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <span aria-hidden="true" className={classes('size-1.5 rounded-full', solidTone[tone])} />
          <span className="text-soft">{name}</span> <span className="font-medium">{value}</span>
        </span>
      ))}
    </span>
  )
}
