import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onNewDay } from '../api/new-day.ts'
import { readAgain } from '../api/read-again.ts'
import { activityKey, activityQuery } from '../api/stats.ts'
import { Card, CardBody, CardHeader } from '../ui/card.tsx'
import { Explain } from '../ui/explain.tsx'
import { ACTIVITY_WORDS } from '../ui/rate-words.ts'
import { ActivityChart } from './activity-chart.tsx'
import { ActivityTable } from './activity-table.tsx'
import { LoadError } from './load-error.tsx'

const TITLE_ID = 'activity-title'

export function ActivityCard() {
  return (
    <Card aria-labelledby={TITLE_ID} className="min-w-0">
      <CardHeader
        id={TITLE_ID}
        title="Email Activity (Last 7 Days)"
        action={<Explain label="How Email Activity is counted">{ACTIVITY_WORDS}</Explain>}
      />
      {/* The chart is 300 px high; so is all that stands in for it. */}
      <CardBody className="grid min-h-[340px]">
        <ActivityContent />
      </CardBody>
    </Card>
  )
}

function ActivityContent() {
  const activity = useQuery(activityQuery)
  const client = useQueryClient()
  useEffect(() => onNewDay(() => readAgain(client, { queryKey: activityKey })), [client])
  if (activity.data) {
    return (
      <div>
        <ActivityChart days={activity.data} />
        <ActivityTable days={activity.data} />
      </div>
    )
  }
  if (activity.isError) {
    return <LoadError what="Your activity" query={activity} />
  }
  return (
    <p role="status" className="place-self-center text-muted">
      Loading activity data...
    </p>
  )
}
