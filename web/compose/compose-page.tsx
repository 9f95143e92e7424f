import { usePageTitle } from '../shell/page-title.ts'
import { PenDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function ComposePage() {
  usePageTitle('Compose Email')
  return (
    <>
      <PageHeader title="Compose Email" subtitle="Create and send emails to multiple recipients" />
      <EmptyState
        drawing={<PenDrawing />}
        title="The composer is not part of this version yet"
        text="Recipients, subject and message will be written here, with a preview of what each recipient gets."
      />
    </>
  )
}
