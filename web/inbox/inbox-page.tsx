import { usePageTitle } from '../shell/page-title.ts'
import { TrayDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

export function InboxPage() {
  usePageTitle('Inbox')
  return (
    <>
      <PageHeader title="Inbox" subtitle="Replies to the emails you send" />
      <EmptyState
        drawing={<TrayDrawing />}
        title="No messages yet"
        text="When someone answers one of your emails, the reply arrives here and you answer it without leaving Postrider."
      />
    </>
  )
}
