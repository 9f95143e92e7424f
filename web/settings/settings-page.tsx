import { usePageTitle } from '../shell/page-title.ts'
import { DialsDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  return (
    <>
      <PageHeader title="Settings" subtitle="Your email provider, sender details and Telegram bot" />
      <EmptyState
        drawing={<DialsDrawing />}
        title="Nothing to set up yet"
        text="The email provider, the name and address your recipients see, and the Telegram link will be set here. Until then Postrider uses the transport of this installation."
      />
    </>
  )
}
