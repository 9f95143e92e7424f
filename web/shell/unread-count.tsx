import { useUnread } from '../api/inbox.ts'
import { inWords } from '../ui/words.ts'

/** Beyond this the number only says "many". */
const MOST = 999

/** How many people wait for an answer, at the end of the entry; a dot at its icon where the words are clipped. */
export function UnreadCount({ collapsed }: { collapsed: boolean }) {
  const count = useUnread()?.inbox ?? 0
  if (count === 0) return null
  return (
    <>
      {collapsed && (
        <span
          aria-hidden="true"
          className="absolute top-1.5 left-5 size-2 rounded-full bg-ink ring-2 ring-sunken"
        />
      )}
      <span className="ml-auto rounded-full bg-ink px-1.5 font-semibold text-paper text-xs">
        {count > MOST ? `${inWords(MOST)}+` : inWords(count)}
        <span className="sr-only"> unread</span>
      </span>
    </>
  )
}
