import type { HistoryEntry } from '../../contract/campaigns.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { counted } from '../ui/words.ts'

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
  const { queued, inFlight, accepted } = entry.counts
  const gone = accepted + inFlight
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
        {queued > 0 ? `${whoWait(queued)} ${consequenceOf(entry)}` : NOBODY_WAITS} This cannot be undone.
      </p>
      {gone > 0 && (
        <p className="mt-2 text-soft">
          {gone === 1 ? '1 email is' : `${counted(gone, 'email')} are`} with the mail provider already
          {inFlight > 0 && ', or on the way there,'} and cannot be called back.
        </p>
      )}
    </Dialog>
  )
}

const whoWait = (count: number): string =>
  `${count === 1 ? '1 recipient who is' : `${counted(count, 'recipient')} who are`} still waiting`

/** Those on the way may be put off, and would wait then. */
const NOBODY_WAITS =
  'Nobody is waiting right now. Whoever the mail provider puts off will not be tried again.'

/** For those who wait. Sent again, some of them may have it already, whatever happens now. */
function consequenceOf({ isRestored, round }: HistoryEntry): string {
  if (isRestored)
    return 'will not be sent this email from here, and will be unconfirmed: whether it was sent to them after the copy of the database was made, nobody can say.'
  if (round > 1) return 'will not be sent this email. An earlier try may have reached some of them.'
  return 'will not get this email.'
}
