import { usePageTitle } from '../shell/page-title.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { DraftsMenu } from './drafts-menu.tsx'
import { OpenedSheet } from './opened-sheet.tsx'
import { useSheet } from './use-sheet.ts'

export function ComposePage() {
  usePageTitle('Compose Email')
  const model = useSheet()
  return (
    <div className="max-w-180">
      <PageHeader
        title="Compose Email"
        subtitle="Create and send emails to multiple recipients"
        action={<DraftsMenu current={model.draft} />}
      />
      <OpenedSheet key={model.sheet.key} model={model} />
    </div>
  )
}
