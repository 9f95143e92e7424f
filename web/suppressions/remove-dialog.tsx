import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Suppression } from '../../contract/suppressions.ts'
import { messageOf } from '../api/client.ts'
import {
  forgetSuppression,
  isReasonChanged,
  readSuppressionsAgain,
  removeSuppression,
} from '../api/suppressions.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { toast } from '../ui/toast-store.ts'
import { REASON_NAMES, REASON_TONES, REMOVAL_WARNINGS } from './reason-words.ts'
import { useIsLeft } from './use-is-left.ts'

interface RemoveDialogProps {
  /** Null is closed. */
  entry: Suppression | null
  onClose: () => void
  /** For the keyboard: the row that asked is gone then. */
  returnFocusTo: () => HTMLElement | null
}

/** Whoever is on the list is there for a reason, so it is told before they are mailed again. */
export function RemoveDialog({ entry, onClose, returnFocusTo }: RemoveDialogProps) {
  const client = useQueryClient()
  const isLeft = useIsLeft()
  const removing = useMutation({
    mutationFn: removeSuppression,
    onSuccess: (_, { address }) => {
      forgetSuppression(client, address)
      onClose()
      toast({ title: 'Address Removed', description: `${address} gets your emails again.` })
    },
    onError: (error) => {
      if (isReasonChanged(error)) readSuppressionsAgain(client)
      if (isLeft.current)
        toast({ title: 'Failed to Remove', description: wordsOf(error), variant: 'destructive' })
    },
  })
  const { reset } = removing
  // Kept while the dialog fades, and so is what was said of it.
  const [shown, setShown] = useState(entry)
  useEffect(() => {
    if (!entry) return
    setShown(entry)
    reset()
  }, [entry, reset])
  const current = entry ?? shown
  if (!current) return null
  const { address, reason, words } = current
  // What was asked about is not so any more: whoever still wants it is asked again, by the row as it is now.
  const isOutdated = isReasonChanged(removing.error)
  return (
    <Dialog
      open={entry !== null}
      onOpenChange={(open) => {
        if (!open && !removing.isPending) onClose()
      }}
      returnFocusTo={returnFocusTo}
      title={`Remove ${address} from the list?`}
      footer={
        <>
          <DialogClose asChild>
            <Button>Keep on the list</Button>
          </DialogClose>
          {!isOutdated && (
            <Button
              variant="danger"
              pending={removing.isPending}
              pendingText="Removing..."
              onClick={() => removing.mutate(current)}
            >
              Remove
            </Button>
          )}
        </>
      }
    >
      <div className="wrap-anywhere grid justify-items-start gap-3 text-pretty">
        {!isOutdated && (
          <>
            <Badge tone={REASON_TONES[reason]}>{REASON_NAMES[reason]}</Badge>
            <p className="text-soft">{REMOVAL_WARNINGS[reason]}</p>
            {words !== null && (
              <blockquote className="border-line border-l-2 pl-3 text-muted text-sm">{words}</blockquote>
            )}
          </>
        )}
        {removing.isError && <Alert tone="danger">{wordsOf(removing.error)}</Alert>}
      </div>
    </Dialog>
  )
}

const wordsOf = (error: unknown): string => messageOf(error, 'There was an error removing this address')
