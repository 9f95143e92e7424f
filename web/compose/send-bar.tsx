import { SendHorizontal } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../ui/button.tsx'
import { onFirstClick } from '../ui/press.ts'
import { LeftOutList } from './left-out-list.tsx'
import { outlookOf } from './outlook.ts'
import { SaveStatus } from './save-status.tsx'
import type { Composer } from './use-composer.ts'
import type { Sending } from './use-send.ts'
import { doubtInShort } from './words.ts'

interface SendBarProps {
  composer: Composer
  sending: Sending
}

/** Stays in sight while the letter is longer than the screen. On a phone its words stand above the buttons. */
export function SendBar({ composer, sending }: SendBarProps) {
  const outlookId = useId()
  const { recipients, leftOut, letter, saver, saveState } = composer
  return (
    <div
      data-bar="bottom"
      className="-mx-4 sticky bottom-0 z-10 flex flex-col gap-x-4 gap-y-1.5 border-line border-t bg-paper px-4 py-3 md:mx-0 md:flex-row md:items-center md:px-0"
    >
      <div className="flex min-w-0 grow flex-wrap justify-between gap-x-4 text-sm md:order-last md:flex-nowrap md:items-center">
        <p id={outlookId} className="text-pretty font-medium">
          {outlookOf(recipients, letter.subject, leftOut)}
          {/* The notice has more to say, but may be out of sight. */}
          {sending.doubt !== null && ` · ${doubtInShort[sending.doubt]}`}
          {leftOut.length > 0 && !recipients.isReading && (
            <>
              {' · '}
              <LeftOutList leftOut={leftOut} />
            </>
          )}
        </p>
        <p className="wrap-anywhere min-h-5 text-pretty md:max-w-72 md:text-right">
          <SaveStatus state={saveState} />
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <Button
          variant="primary"
          className="grow md:grow-0"
          onClick={onFirstClick(sending.send)}
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
