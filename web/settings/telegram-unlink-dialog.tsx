import { useEffect, useState } from 'react'
import type { TelegramLink } from '../../contract/telegram.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'

interface UnlinkDialogProps {
  /** Null is closed. */
  link: TelegramLink | null
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
  /** For the keyboard: the button that asked is gone then. */
  returnFocusTo: () => HTMLElement | null
}

export function UnlinkDialog({ link, isPending, onConfirm, onClose, returnFocusTo }: UnlinkDialogProps) {
  // Kept while the dialog fades.
  const [shown, setShown] = useState(link)
  useEffect(() => {
    if (link) setShown(link)
  }, [link])
  const current = link ?? shown
  if (!current) return null
  return (
    <Dialog
      open={link !== null}
      onOpenChange={(open) => {
        if (!open && !isPending) onClose()
      }}
      returnFocusTo={returnFocusTo}
      title={`Unlink ${current.telegramFirstName}?`}
      footer={
        <>
          <DialogClose asChild>
            <Button>Keep it linked</Button>
          </DialogClose>
          <Button variant="danger" pending={isPending} pendingText="Unlinking..." onClick={onConfirm}>
            Unlink
          </Button>
        </>
      }
    >
      <p className="text-pretty text-soft">
        This Telegram account gets no more alerts and can no longer run your campaigns. Those that are under
        way go on. You can link an account again at any time.
      </p>
    </Dialog>
  )
}
