import { usePageTitle } from '../shell/page-title.ts'
import { BarsDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function DashboardPage() {
  usePageTitle('Dashboard')
  return (
    <>
      <PageHeader title="Dashboard" subtitle="Overview of your email sending activity" />
      <EmptyState
        drawing={<BarsDrawing />}
        title="Nothing to count yet"
        text="What you send is counted here, recipient by recipient: sent, delivered, bounced and opened, with the activity of the last 7 days."
      />
    </>
  )
}
