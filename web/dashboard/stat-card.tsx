import { TriangleAlert } from 'lucide-react'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Explain } from '../ui/explain.tsx'
import { solidTone } from '../ui/tones.ts'
import { type Alarm, formatValue, type StatCardContent } from './stat-cards.ts'
import { useCountUp } from './use-count-up.ts'

const alarmed: Record<Alarm['tone'], { frame: string; text: string }> = {
  bounced: { frame: 'border-bounced/50! bg-bounced-soft!', text: 'text-bounced-text' },
  failed: { frame: 'border-failed/50! bg-failed-soft!', text: 'text-failed-text' },
}

export function StatCard({ content }: { content: StatCardContent }) {
  const { title, decimals, text, tone, alarm, basis } = content
  const value = useCountUp(content.value)
  const look = alarm && alarmed[alarm.tone]
  return (
    <Card className={classes('p-4 md:p-5', look?.frame)} data-alarm={alarm?.word.toLowerCase()}>
      <div className="flex min-h-5 items-center justify-between gap-1">
        <h3 className="flex items-center gap-2 font-medium text-sm text-soft">
          {tone && (
            <span aria-hidden="true" className={classes('size-2 shrink-0 rounded-full', solidTone[tone])} />
          )}
          {title}
        </h3>
        {/* Beside the title its words lie above the card, and cover nothing of it. */}
        {basis !== null && <Explain label={`How ${title} is counted`}>{basis}</Explain>}
      </div>
      <p className={classes('mt-1.5 font-semibold text-xl', look?.text)}>{formatValue(value, decimals)}</p>
      <div className="mt-0.5 flex flex-wrap items-center justify-between gap-x-2">
        <p className={classes('text-sm', look?.text ?? 'text-muted')}>{text}</p>
        {alarm && <AlarmMark alarm={alarm} />}
      </div>
    </Card>
  )
}

/** The style says it to the eye, the words to everybody; where a card is narrow they have a line of their own. */
function AlarmMark({ alarm }: { alarm: Alarm }) {
  return (
    <p className={classes('flex shrink-0 items-center gap-1 font-medium text-xs', alarmed[alarm.tone].text)}>
      <TriangleAlert aria-hidden="true" className="size-3.5" />
      <span className="sr-only">{alarm.word}: </span>
      above {alarm.limit}%
    </p>
  )
}

/** The whole card pulses, as one. */
export function StatCardSkeleton() {
  return (
    <Card className="animate-pulse p-4 md:p-5" aria-hidden="true">
      <div className="flex h-5 items-center">
        <span className="h-3.5 w-20 rounded-md bg-hover" />
      </div>
      <div className="mt-1.5 flex h-7.5 items-center">
        <span className="h-6 w-16 rounded-md bg-hover" />
      </div>
      <div className="mt-0.5 flex h-5 items-center">
        <span className="h-3.5 w-24 rounded-md bg-hover" />
      </div>
    </Card>
  )
}
