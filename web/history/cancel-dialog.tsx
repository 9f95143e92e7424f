import type { HistoryEntry } from '../../contract/campaigns.ts'
import { cancelWords } from '../../contract/cancelling.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { inWords } from '../ui/words.ts'

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
      <div className="grid gap-2 text-soft">
        {cancelWords(entry, inWords).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
    </Dialog>
  )
}
