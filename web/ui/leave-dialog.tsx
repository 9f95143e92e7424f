import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import type { LeaveGuard } from './use-leave-guard.ts'

interface LeaveDialogProps {
  guard: LeaveGuard
  title: string
  leaveLabel: string
  keepLabel: string
  /** What would be lost. */
  children: ReactNode
}

/** Comes up when the way out would lose what was typed. The harmless answer has the keyboard. */
export function LeaveDialog({ guard, title, leaveLabel, keepLabel, children }: LeaveDialogProps) {
  return (
    <Dialog
      open={guard.isAsking}
      onOpenChange={(open) => {
        if (!open) guard.stay()
      }}
      title={title}
      footer={
        <>
          <Button onClick={guard.leave}>{leaveLabel}</Button>
          <Button variant="primary" data-keep onClick={guard.stay}>
            {keepLabel}
          </Button>
        </>
      }
    >
      <p className="text-soft">{children}</p>
    </Dialog>
  )
}
