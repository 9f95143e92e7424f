import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { counted } from '../ui/words.ts'
import { INBOX_PATH } from './inbox-view.ts'
import { forgetReplies, hasReplies, unsentReplies } from './reply-texts.ts'

/** Whoever leaves the screen with a reply that is not sent is asked first. From message to message nothing is lost. */
export function LeaveRepliesDialog() {
  const guard = useLeaveGuard({
    isSafe: (to) => (to === null ? !hasReplies() : to.pathname === INBOX_PATH || unsentReplies() === 0),
    save: () => Promise.resolve(false),
  })
  const leave = () => {
    forgetReplies()
    guard.leave()
  }
  const count = unsentReplies()
  return (
    <LeaveDialog
      guard={{ ...guard, leave }}
      title={count > 1 ? 'Leave these replies?' : 'Leave this reply?'}
      leaveLabel="Leave Without Sending"
      keepLabel="Keep Writing"
    >
      {count > 1
        ? `${counted(count, 'reply', 'replies')} are not sent yet. If you leave now, they are lost.`
        : 'Your reply is not sent yet. If you leave now, it is lost.'}
    </LeaveDialog>
  )
}
