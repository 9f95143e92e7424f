import { useInstance } from '../api/instance.ts'
import { Alert } from '../ui/alert.tsx'
import { textLink } from '../ui/text-link.ts'

/** With no mail provider set up, the code is not in the user's own inbox; say where it is. */
export function MailboxNote() {
  const path = useInstance()?.localMailbox
  if (!path) return null
  return (
    <Alert>
      This installation keeps its mail in a local mailbox.{' '}
      <a href={path} target="_blank" rel="noopener" className={textLink}>
        Open the local mailbox
        <span className="sr-only"> in a new tab</span>
      </a>
    </Alert>
  )
}
