import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import type { useLeaveGuard } from '../ui/use-leave-guard.ts'

/** Comes up only when the last words could not be saved on the way out. */
export function LeaveDialog({ isAsking, stay, leave }: ReturnType<typeof useLeaveGuard>) {
  return (
    <Dialog
      open={isAsking}
      onOpenChange={(open) => {
        if (!open) stay()
      }}
      title="Leave this email?"
      footer={
        <>
          <Button onClick={leave}>Leave Without Saving</Button>
          <Button variant="primary" data-keep onClick={stay}>
            Keep Editing
          </Button>
        </>
      }
    >
      <p className="text-soft">Your last changes are not saved yet. If you leave now, they are lost.</p>
    </Dialog>
  )
}
