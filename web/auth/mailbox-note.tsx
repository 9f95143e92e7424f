import { useInstance } from '../api/instance.ts'
import { Alert } from '../ui/alert.tsx'
import { textLink } from '../ui/text-link.ts'

/** With no mail provider set up, the mail is not in the user's own inbox; say where it is, or who helps. */
export function MailboxNote() {
  const instance = useInstance()
  if (!instance?.keepsMail) return null
  if (instance.localMailbox === null)
    return (
      <Alert tone="warning">
        This installation sends no mail yet, so none will reach you. Ask whoever runs it for a link.
      </Alert>
    )
  return (
    <Alert>
      This installation keeps its mail in a local mailbox.{' '}
      <a href={instance.localMailbox} target="_blank" rel="noopener" className={textLink}>
        Open the local mailbox
        <span className="sr-only"> in a new tab</span>
      </a>
    </Alert>
  )
}
