import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { counted } from '../ui/words.ts'
import { INBOX_PATH } from './inbox-view.ts'
import { forgetReplies, hasReplies, hasUnansweredReply, unsentReplies } from './reply-texts.ts'

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
      {lossOf(count, hasUnansweredReply())}
    </LeaveDialog>
  )
}

function lossOf(count: number, isUnknown: boolean): string {
  const replies = counted(count, 'reply', 'replies')
  if (isUnknown)
    return count > 1
      ? `It is not known whether any of ${replies} was sent. If you leave now, their words are lost.`
      : 'It is not known whether your reply was sent. If you leave now, its words are lost.'
  return count > 1
    ? `${replies} are not sent yet. If you leave now, they are lost.`
    : 'Your reply is not sent yet. If you leave now, it is lost.'
}
