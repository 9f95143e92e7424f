import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { InboxMessage } from '../../contract/inbox.ts'
import { mayBeAway, onReturn } from '../api/connection.ts'
import { messageHtmlPath } from '../api/inbox.ts'
import { useTheme } from '../shell/theme.ts'
import { useIsPhone } from '../shell/use-is-phone.ts'
import { Button } from '../ui/button.tsx'
import { frameHeight } from './frame-height.ts'
import { senderName } from './shown-text.ts'

interface HtmlFrameProps {
  message: InboxMessage
  html: string
}

/**
 * A mail's HTML, cleaned by the server and in a frame that runs no scripts, is of no origin and clips whatever it holds.
 * Only its links work, in a tab of their own. Shown under a key of its message: whether pictures are shown is asked anew
 * for each.
 */
export function HtmlFrame({ message, html }: HtmlFrameProps) {
  const [theme] = useTheme()
  const isPhone = useIsPhone()
  const [showsImages, setShowsImages] = useState(false)
  const address = messageHtmlPath(message, { images: showsImages, theme })
  const { tries, look } = useTries()
  const place = useRef<HTMLDivElement>(null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a region of its own each would crowd the list of landmarks
    <div
      ref={place}
      role="group"
      aria-label="Message and its images"
      tabIndex={-1}
      className="grid grid-cols-1 gap-3 outline-none"
    >
      {message.hasRemoteImages && !showsImages && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sunken px-4 py-2">
          <p className="flex grow basis-72 items-start gap-2.5 text-muted text-sm">
            <ImageOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            Images are blocked, for fetching them would tell the sender when and where you read this.
          </p>
          <Button size="sm" onClick={() => setShowsImages(true)} returnFocusTo={place}>
            Show images
          </Button>
        </div>
      )}
      <iframe
        // Another address in the same frame would be a step in the browser's history.
        key={`${tries} ${address}`}
        title={`Message from ${senderName(message.from)}`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        src={address}
        onLoad={look}
        // Wider by the mail's own edge, so that its letters stand below those of the facts.
        className="-mx-4 -mt-3 max-h-[max(20rem,calc(100dvh-20rem))] min-h-32 w-[calc(100%+2rem)] rounded-md"
        style={{ height: frameHeight(html, { showsImages, isPhone }) }}
      />
    </div>
  )
}

/**
 * A frame tells nobody that it found no server and shows the browser's own page instead. One that may have done so is
 * begun anew once the server is there again.
 */
function useTries() {
  const [tries, setTries] = useState(0)
  const mayHaveFailed = useRef(false)
  useEffect(
    () =>
      onReturn(() => {
        if (!mayHaveFailed.current) return
        mayHaveFailed.current = false
        setTries((known) => known + 1)
      }),
    [],
  )
  const look = () => {
    mayHaveFailed.current = mayBeAway()
  }
  return { tries, look }
}
