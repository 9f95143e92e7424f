import type { HistoryEntry } from '../../contract/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { counted } from '../ui/words.ts'
import { waitingOf } from './fate.ts'

interface CancelDialogProps {
  entry: HistoryEntry
  open: boolean
  onOpenChange: (open: boolean) => void
  isPending: boolean
  onConfirm: () => void
  returnFocusTo: () => HTMLElement | null
}

/** It cannot be undone, so it names what stops and what does not. */
export function CancelDialog({ entry, isPending, onConfirm, onOpenChange, ...dialog }: CancelDialogProps) {
  const { accepted } = entry.counts
  const waiting = waitingOf(entry.counts)
  return (
    <Dialog
      {...dialog}
      // While it is being cancelled nobody can keep it any more.
      onOpenChange={(open) => {
        if (!isPending) onOpenChange(open)
      }}
      title={`Cancel “${entry.subject}”?`}
      footer={
        <>
          <DialogClose asChild>
            <Button>Keep it</Button>
          </DialogClose>
          <Button variant="danger" pending={isPending} pendingText="Cancelling..." onClick={onConfirm}>
            Cancel the rest
          </Button>
        </>
      }
    >
      <p className="text-soft">
        {waiting === 1 ? '1 recipient who is' : `${counted(waiting, 'recipient')} who are`} still waiting{' '}
        {entry.isRestored
          ? 'will not be sent this email from here, and will be unconfirmed: whether it was sent to them after the copy of the database was made, nobody can say.'
          : 'will not get this email.'}{' '}
        This cannot be undone.
      </p>
      {accepted > 0 && (
        <p className="mt-2 text-soft">
          {accepted === 1 ? '1 email is' : `${counted(accepted, 'email')} are`} with the mail provider already
          and cannot be called back.
        </p>
      )}
    </Dialog>
  )
}
