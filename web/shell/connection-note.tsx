import { CloudOff } from 'lucide-react'

/** Takes the room that the bar has to spare: nothing moves when it comes or goes. */
export function ConnectionNote({ isShown }: { isShown: boolean }) {
  return (
    <div className="@container min-w-0 grow">
      <p role="status" className="flex items-center justify-end gap-1.5 text-bounced-text text-sm">
        {isShown && (
          <>
            <CloudOff aria-hidden="true" className="size-4 shrink-0" />
            <span className="whitespace-nowrap">
              No connection<span className="@max-xs:sr-only">: numbers may be out of date</span>
            </span>
          </>
        )}
      </p>
    </div>
  )
}
