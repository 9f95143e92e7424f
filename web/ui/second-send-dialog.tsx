import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { NextFocus } from './next-focus.ts'
import { onFirstClick } from './press.ts'

interface SecondSendDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What it would be, as in "Send a second email?". */
  noun: 'email' | 'reply'
  /** Whether the first is known to have been sent. */
  isCertain: boolean
  /** Who would get it, as in "everybody above gets a second email". */
  second: string
  keepLabel: string
  onConfirm: () => void
  /** The button that asked is at work when this closes. */
  returnFocusTo?: NextFocus
}

/** One press too many must not send to everybody again what was, or may have been, sent before it was changed. */
export function SecondSendDialog(props: SecondSendDialogProps) {
  const { noun, isCertain, second, keepLabel, onConfirm, ...dialog } = props
  return (
    <Dialog
      {...dialog}
      title={`Send a second ${noun}?`}
      footer={
        <>
          <Button data-keep onClick={() => dialog.onOpenChange(false)}>
            {keepLabel}
          </Button>
          <Button variant="primary" onClick={onFirstClick(onConfirm)}>
            {noun === 'email' ? 'Send Second Email' : 'Send Second Reply'}
          </Button>
        </>
      }
    >
      <p className="text-soft">
        {isCertain
          ? 'An earlier version was already sent. If you send this one too, '
          : 'It is not known whether an earlier version was sent. If it was and you send this one too, '}
        {second}.
      </p>
    </Dialog>
  )
}
