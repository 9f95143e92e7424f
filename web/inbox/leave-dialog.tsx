import { useLocation } from 'wouter'
import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { counted } from '../ui/words.ts'
import { INBOX_PATH } from './inbox-view.ts'
import {
  forgetReplies,
  hasReplies,
  hasUnansweredReply,
  repliesOnTheirWay,
  unsentReplies,
  useReplies,
  whenAnswered,
} from './reply-texts.ts'

const isOutOfInbox = (to: URL): boolean =>
  window.location.pathname === INBOX_PATH && to.pathname !== INBOX_PATH

/**
 * Whoever leaves the screen with a reply that is not sent is asked first. From message to message nothing is lost. Of one
 * that fails when its screen has been left nothing is lost from screen to screen either, with the page everything is.
 */
export function LeaveRepliesDialog() {
  const [path] = useLocation()
  const unsent = useReplies(unsentReplies)
  const onTheirWay = useReplies(repliesOnTheirWay)
  const isUnknown = useReplies(hasUnansweredReply)
  const guard = useLeaveGuard({
    isSafe: (to) => (to === null ? !hasReplies() : !isOutOfInbox(to) || unsentReplies() === 0),
    save: whenAnswered,
  })
  const isHere = path === INBOX_PATH
  const leave = () => {
    // Elsewhere it is the page that is left, and they are still there should that fail.
    if (isHere) forgetReplies()
    guard.leave()
  }
  const isOnItsWay = unsent === 0 && onTheirWay > 0
  return (
    <LeaveDialog
      guard={{ ...guard, leave }}
      title={unsent + onTheirWay > 1 ? 'Leave these replies?' : 'Leave this reply?'}
      leaveLabel={isOnItsWay || isUnknown ? 'Leave Anyway' : 'Leave Without Sending'}
      keepLabel={isHere && !isOnItsWay ? 'Keep Writing' : 'Stay Here'}
    >
      {isOnItsWay ? riskOf(onTheirWay) : lossOf(unsent, isUnknown)}
    </LeaveDialog>
  )
}

const riskOf = (count: number): string =>
  count > 1
    ? `${counted(count, 'reply', 'replies')} are still being sent. If you leave now and they cannot be sent, their words are lost.`
    : 'Your reply is still being sent. If you leave now and it cannot be sent, its words are lost.'

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
