import { usePageTitle } from '../shell/page-title.ts'
import { SheetsDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function TemplatesPage() {
  usePageTitle('Email Templates')
  return (
    <>
      <PageHeader title="Email Templates" subtitle="Messages you send again and again" />
      <EmptyState
        drawing={<SheetsDrawing />}
        title="No Templates Yet"
        text="Create your first email template to save time on recurring messages"
      />
    </>
  )
}
