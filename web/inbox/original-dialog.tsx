import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { messageOf } from '../api/client.ts'
import { type MessagePlace, originalPath, originalQuery } from '../api/inbox.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { shownText } from './shown-text.ts'

interface OriginalDialogProps {
  place: MessagePlace
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The mail as it came, byte for byte: for whoever wants to know where it really comes from. */
export function OriginalDialog({ place, open, onOpenChange }: OriginalDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title="Original message"
      description="The mail as it came, with all its headers"
      footer={
        <Button asChild>
          <a href={originalPath(place)} download>
            <Download aria-hidden="true" className="size-4" />
            Download
          </a>
        </Button>
      }
    >
      {open && <Source place={place} />}
    </Dialog>
  )
}

function Source({ place }: { place: MessagePlace }) {
  const source = useQuery(originalQuery(place))
  if (source.isError)
    return (
      <LoadFailure
        title="The original could not be loaded"
        reason={messageOf(source.error)}
        isRetrying={source.isFetching}
        onRetry={() => void source.refetch()}
      />
    )
  if (!source.data) return <Skeleton className="h-80 max-h-[50dvh]" />
  return (
    <>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrolled by the keyboard too
        tabIndex={0}
        aria-label="Source of the message"
        className="h-80 max-h-[50dvh] overflow-auto rounded-md border border-line bg-sunken p-3"
      >
        <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-xs">
          {shownText(source.data.text)}
        </pre>
      </section>
      {source.data.isCut && (
        <p className="mt-2 text-muted text-sm">This is its beginning. Download has all of it.</p>
      )}
    </>
  )
}
