import { Link } from 'wouter'
import type { SendDoubt } from '../api/send-doubt.ts'
import { Alert } from '../ui/alert.tsx'
import { textLink } from '../ui/text-link.ts'

/** Stands where the next press of the button is decided. */
export function ReplyDoubt({ doubt }: { doubt: SendDoubt | null }) {
  if (doubt === null) return null
  const history = (
    <Link href="/history" className={textLink}>
      History
    </Link>
  )
  return doubt === 'unanswered' ? (
    <Alert tone="warning" title="It is not known whether your reply was sent">
      The answer did not arrive. Press Send Reply to find out: nobody gets it twice, even if you change it
      first. {history} shows what was sent.
    </Alert>
  ) : (
    <Alert tone="warning" title="Your reply was sent before you changed it">
      {history} shows what was sent. What stands here now was not: if you send it, it is a second reply.
    </Alert>
  )
}
