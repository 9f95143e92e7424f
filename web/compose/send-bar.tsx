import { SendHorizontal } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import { outlookOf } from './outlook.ts'
import { SaveStatus } from './save-status.tsx'
import type { Composer } from './use-composer.ts'
import type { Sending } from './use-send.ts'

interface SendBarProps {
  composer: Composer
  sending: Sending
}

/** Stays in sight while the letter is longer than the screen. */
export function SendBar({ composer, sending }: SendBarProps) {
  const outlookId = useId()
  const { recipients, letter, saver, saveState } = composer
  return (
    <div className="-mx-4 sticky bottom-0 z-10 grid gap-x-4 gap-y-1.5 border-line border-t bg-paper px-4 py-3 md:mx-0 md:grid-cols-[1fr_auto] md:items-center md:px-0">
      <div className="grid min-w-0 text-sm md:order-last md:justify-items-end md:text-right">
        <p id={outlookId} className="text-pretty font-medium">
          {outlookOf(recipients, letter.subject)}
        </p>
        <p className="wrap-anywhere min-h-5 text-pretty">
          <SaveStatus state={saveState} />
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          variant="primary"
          className="grow md:grow-0"
          onClick={sending.send}
          pending={sending.isPending}
          pendingText="Sending..."
          disabled={!sending.isReady}
          aria-describedby={outlookId}
        >
          <SendHorizontal aria-hidden="true" className="size-4" />
          Send Email
        </Button>
        <Button disabled={sending.isPending} onClick={() => void saver.keep()}>
          Save Draft
        </Button>
      </div>
    </div>
  )
}
