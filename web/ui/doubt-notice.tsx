import { Link } from 'wouter'
import { Alert } from './alert.tsx'
import { textLink } from './text-link.ts'

interface DoubtNoticeProps {
  doubt: 'unanswered' | 'sent before' | 'maybe sent before' | null
  /** As in "It is not known whether your reply was sent". */
  what: string
  button: string
  /** What becomes of it if the button is pressed although it was sent before. */
  second: string
}

/** Stands where the next press of the button is decided. */
export function DoubtNotice({ doubt, what, button, second }: DoubtNoticeProps) {
  if (doubt === null) return null
  const history = (
    <Link href="/history" className={textLink}>
      History
    </Link>
  )
  if (doubt === 'maybe sent before')
    return (
      <Alert tone="warning" title={`It is not known whether ${what} was sent before you changed it`}>
        {history} shows what was sent. What stands here now was not: if the earlier version was and you send
        this one too, {second}.
      </Alert>
    )
  return doubt === 'unanswered' ? (
    <Alert tone="warning" title={`It is not known whether ${what} was sent`}>
      No answer has arrived. Press {button} to find out: nobody gets it twice, even if you change it first.{' '}
      {history} shows what was sent.
    </Alert>
  ) : (
    <Alert tone="warning" title={`${what[0]?.toUpperCase()}${what.slice(1)} was sent before you changed it`}>
      {history} shows what was sent. What stands here now was not: if you send it, {second}.
    </Alert>
  )
}
