import { type ReactNode, useId } from 'react'
import type { Stats } from '../../contract/stats.ts'
import { Accounting } from './accounting.tsx'
import { StatCard, StatCardSkeleton } from './stat-card.tsx'
import { engagementCards, type StatCardContent, sendingCards } from './stat-cards.ts'

const SENDING = 'Sending Stats'
const ENGAGEMENT = 'Delivery & Engagement Stats'
const FOUR = ['first', 'second', 'third', 'fourth'] as const

export function StatsSections({ stats }: { stats: Stats }) {
  return (
    <>
      <StatsSection title={SENDING} below={<Accounting stats={stats} />}>
        <Cards contents={sendingCards(stats)} />
      </StatsSection>
      <StatsSection title={ENGAGEMENT}>
        <Cards contents={engagementCards(stats)} />
      </StatsSection>
    </>
  )
}

/** Line by line the same sections, with nothing in their cards yet. */
export function StatsSkeleton() {
  const cards = FOUR.map((place) => <StatCardSkeleton key={place} />)
  return (
    <>
      <p role="status" className="sr-only">
        Loading your statistics
      </p>
      <StatsSection title={SENDING} below={<AccountingSkeleton />}>
        {cards}
      </StatsSection>
      <StatsSection title={ENGAGEMENT}>{cards}</StatsSection>
    </>
  )
}

const Cards = ({ contents }: { contents: StatCardContent[] }): ReactNode =>
  contents.map((content) => <StatCard key={content.title} content={content} />)

interface StatsSectionProps {
  title: string
  children: ReactNode
  below?: ReactNode
}

function StatsSection({ title, children, below }: StatsSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 font-semibold text-lg">
        {title}
      </h2>
      <div className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">{children}</div>
      {below}
    </section>
  )
}

function AccountingSkeleton() {
  return (
    <div className="mt-3" aria-hidden="true">
      <div className="-my-3 tap-5 flex items-center md:my-0">
        <span className="h-1.5 w-full rounded-full bg-hover" />
      </div>
      <div className="min-h-10 md:min-h-5" />
    </div>
  )
}
