import { usePageTitle } from '../shell/page-title.ts'
import { LedgerDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function HistoryPage() {
  usePageTitle('Email History')
  return (
    <>
      <PageHeader title="Email History" subtitle="Track all your sent emails and their status" />
      <EmptyState
        drawing={<LedgerDrawing />}
        title="No Email History"
        text="Your sent emails will appear here"
      />
    </>
  )
}
