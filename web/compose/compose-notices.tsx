import { Link } from 'wouter'
import { messageOf } from '../api/client.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { textLink } from '../ui/text-link.ts'
import type { useResend } from './use-resend.ts'
import type { Sheet } from './use-sheet.ts'
import type { useTemplate } from './use-template.ts'

interface ComposeNoticesProps {
  notice: Sheet['notice']
  template: ReturnType<typeof useTemplate>
  resend: ReturnType<typeof useResend>
  focusRecipients: () => void
}

/** What there is to know before one goes on writing. */
export function ComposeNotices({ notice, template, resend, focusRecipients }: ComposeNoticesProps) {
  return (
    <>
      {notice === 'draft gone' && (
        <Alert title="This draft is no longer there">
          It was sent or deleted;{' '}
          <Link href="/history" className={textLink}>
            History
          </Link>{' '}
          shows which. Here is an empty sheet.
        </Alert>
      )}
      {template.isFailed && (
        <Alert
          tone="danger"
          title="Failed to fetch template"
          action={
            <Button size="sm" pending={template.isRetrying} onClick={template.retry} returnFocusTo="around">
              Try again
            </Button>
          }
        >
          {messageOf(template.error)}
        </Alert>
      )}
      {resend.failure !== null && (
        <Alert
          tone="danger"
          title="The recipients could not be loaded"
          action={
            <Button
              size="sm"
              onClick={() => {
                // The button goes with its notice; the keyboard is where they will come.
                focusRecipients()
                resend.retry()
              }}
            >
              Try again
            </Button>
          }
        >
          {resend.failure}
        </Alert>
      )}
    </>
  )
}
