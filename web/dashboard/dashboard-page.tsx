import { useQuery } from '@tanstack/react-query'
import { statsQuery } from '../api/stats.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { ComposeLink } from '../ui/compose-link.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { ActivityCard } from './activity-card.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LoadError } from './load-error.tsx'
import { RunningCard } from './running-card.tsx'
import { StatsSections, StatsSkeleton } from './stats-sections.tsx'

export function DashboardPage() {
  usePageTitle('Dashboard')
  const stats = useQuery(statsQuery)
  const isFirstRun = stats.data?.total === 0
  return (
    <>
      <PageHeader
        title="Dashboard"
        subtitle="Overview of your email sending activity"
        // Who is new finds it among the first steps.
        action={!isFirstRun && <ComposeLink />}
      />
      <div className="grid gap-6 md:gap-8">
        {isFirstRun && <FirstSteps />}
        {stats.data && <StatsSections stats={stats.data} />}
        {stats.isPending && <StatsSkeleton />}
        {!stats.data && stats.isError && <LoadError what="Your statistics" query={stats} />}
        <div className="grid gap-4 xl:grid-cols-[2fr_1fr]">
          <ActivityCard />
          <RunningCard />
        </div>
      </div>
    </>
  )
}
