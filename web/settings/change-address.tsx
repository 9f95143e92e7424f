import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { INBOX_NAME_MAX, INBOX_NAME_MIN } from '../../contract/inbox.ts'
import { ApiError, messageOf } from '../api/client.ts'
import { changeInboxAddress, inboxAddressQuery } from '../api/inbox.ts'
import { readAgain } from '../api/read-again.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toast-store.ts'
import { PlainInput } from './plain-input.tsx'

interface ChangeAddressProps {
  address: string
  isChangeable: boolean
  /** It stands in the reply-to field. */
  isUsed: boolean
  onChanged: (address: string) => void
  /** The button that opens the dialog goes with the only chance, also when that was taken elsewhere. */
  returnFocusTo: () => HTMLElement | null
}

/** Once, so it is worth a dialog. */
export function ChangeAddress({
  address,
  isChangeable,
  isUsed,
  onChanged,
  returnFocusTo,
}: ChangeAddressProps) {
  const client = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const at = address.indexOf('@')
  const [name, setName] = useState(address.slice(0, at))
  const changing = useMutation({
    mutationFn: changeInboxAddress,
    onSuccess: async (stored) => {
      // Read before the change, it would bring the old one back.
      await client.cancelQueries(inboxAddressQuery)
      client.setQueryData(inboxAddressQuery.queryKey, stored)
      setIsOpen(false)
      onChanged(stored.address)
      toast({
        title: 'Inbox Address Changed',
        description: stored.address,
        detail: isUsed ? 'Save your settings, so that replies come to the new one.' : undefined,
      })
    },
    onError: (error) => {
      // Perhaps the one change was made elsewhere.
      if (error instanceof ApiError && error.status === 409) readAgain(client, inboxAddressQuery)
    },
  })
  // Nothing is taken away under somebody's hands: the dialog says why it is of no use any more.
  if (!isChangeable && !isOpen) return null
  // What this page has just changed itself may be read before the answer to that is there.
  const isSpent = !isChangeable && !changing.isPending
  const wished = name.trim().toLowerCase()
  const isReady = wished.length >= INBOX_NAME_MIN && wished !== address.slice(0, at)
  const close = () => {
    // While it is being changed nobody can keep it any more.
    if (!changing.isPending) setIsOpen(false)
  }
  const change = () => {
    if (isReady && !changing.isPending) changing.mutate(wished)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // The settings around it are a form as well.
    event.preventDefault()
    change()
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => (open ? setIsOpen(true) : close())}
      trigger={
        <Button variant="ghost" returnFocusTo={returnFocusTo}>
          Change
        </Button>
      }
      title="Change your inbox address"
      returnFocusTo={returnFocusTo}
      footer={
        <>
          <Button onClick={close}>{isSpent ? 'Close' : 'Keep it'}</Button>
          {!isSpent && (
            <Button
              variant="primary"
              disabled={!isReady}
              pending={changing.isPending}
              pendingText="Changing..."
              onClick={change}
            >
              Change Address
            </Button>
          )}
        </>
      }
    >
      {isSpent ? (
        <Alert tone="warning">
          It has been changed already and is{' '}
          <span className="wrap-anywhere font-medium text-ink">{address}</span> now. That is possible once.
        </Alert>
      ) : (
        <div className="grid gap-4">
          <p className="text-pretty text-soft">
            This can be done once. Mail to the old address still arrives, for people may answer what you have
            sent already.
          </p>
          <Field
            label="New name"
            hint={`${INBOX_NAME_MIN} to ${INBOX_NAME_MAX} letters, digits, dots or dashes, followed by ${address.slice(at)}`}
            error={changing.error ? messageOf(changing.error) : undefined}
            saysError
          >
            {(control) => (
              <PlainInput
                {...control}
                maxLength={INBOX_NAME_MAX}
                value={name}
                onKeyDown={onKeyDown}
                onChange={(event) => {
                  changing.reset()
                  setName(event.target.value)
                }}
              />
            )}
          </Field>
        </div>
      )}
    </Dialog>
  )
}
