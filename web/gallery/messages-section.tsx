import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { LedgerDrawing } from '../ui/drawings.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { toast } from '../ui/toast-store.ts'
import { Row, Section } from './section.tsx'

export function MessagesSection() {
  return (
    <Section title="Messages">
      <div className="grid gap-3 md:grid-cols-2">
        <Alert>This installation keeps its mail in a local mailbox.</Alert>
        <Alert tone="success" title="Credentials Verified">
          The provider accepted a test.
        </Alert>
        <Alert tone="warning" title="Paused" action={<Button size="sm">Resume</Button>}>
          The provider asked us to wait.
        </Alert>
        <Alert tone="danger" title="Not sent">
          The provider refused the sender address.
        </Alert>
      </div>
      <Row name="Toast">
        <Button
          onClick={() =>
            toast({ title: 'Settings Saved', description: 'They apply from the next email on.' })
          }
        >
          Show a toast
        </Button>
        <Button
          onClick={() =>
            toast({
              title: 'Request Failed',
              description: 'Failed to send password reset email. Please try again.',
              detail: '429: Too many requests. Try again in 10 minutes.',
              variant: 'destructive',
            })
          }
        >
          Show a destructive toast
        </Button>
        <Button
          onClick={() =>
            toast({
              title: 'Template Deleted',
              description: 'Template has been removed successfully.',
              action: { label: 'Undo', onSelect: () => toast({ title: 'It is back' }) },
            })
          }
        >
          Show a toast with an action
        </Button>
      </Row>
      <div className="rounded-lg border border-line p-6 pb-0">
        <PageHeader
          title="Email History"
          subtitle="Track all your sent emails and their status"
          action={<Button variant="primary">Compose</Button>}
        />
      </div>
      <EmptyState
        drawing={<LedgerDrawing />}
        title="No Email History"
        text="Your sent emails will appear here"
        action={<Button variant="primary">Compose an email</Button>}
      />
    </Section>
  )
}
