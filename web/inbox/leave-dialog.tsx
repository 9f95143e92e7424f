import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { counted } from '../ui/words.ts'
import { INBOX_PATH } from './inbox-view.ts'
import { forgetReplies, hasReplies, unsentReplies } from './reply-texts.ts'

/** Whoever leaves the screen with a reply that is not sent is asked first. From message to message nothing is lost. */
export function LeaveDialog() {
  const { isAsking, stay, leave } = useLeaveGuard({
    isSafe: (to) => (to === null ? !hasReplies() : to.pathname === INBOX_PATH || unsentReplies() === 0),
    save: () => Promise.resolve(false),
  })
  const count = unsentReplies()
  return (
    <Dialog
      open={isAsking}
      onOpenChange={(open) => {
        if (!open) stay()
      }}
      title={count > 1 ? 'Leave these replies?' : 'Leave this reply?'}
      footer={
        <>
          <Button
            onClick={() => {
              forgetReplies()
              leave()
            }}
          >
            Leave Without Sending
          </Button>
          <Button variant="primary" data-keep onClick={stay}>
            Keep Writing
          </Button>
        </>
      }
    >
      <p className="text-soft">
        {count > 1
          ? `${counted(count, 'reply', 'replies')} are not sent yet. If you leave now, they are lost.`
          : 'Your reply is not sent yet. If you leave now, it is lost.'}
      </p>
    </Dialog>
  )
}
