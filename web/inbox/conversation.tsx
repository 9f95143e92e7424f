import { useRef, useState } from 'react'
import type { ConversationEntry } from '../../contract/inbox.ts'
import { Button } from '../ui/button.tsx'
import { counted } from '../ui/words.ts'
import { ReceivedEntry } from './received-entry.tsx'
import { SentEntry } from './sent-entry.tsx'

/** So many of a long conversation are in sight; the others come when asked for. */
const NEAREST = 4

interface ConversationProps {
  label: string
  entries: readonly ConversationEntry[]
  inboxId: string
}

/** The other mails of the conversation, one line each until one is opened. The nearest are the last. */
export function Conversation({ label, entries, inboxId }: ConversationProps) {
  const [showsAll, setShowsAll] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  if (entries.length === 0) return null
  const hidden = showsAll ? 0 : Math.max(0, entries.length - NEAREST - 1)
  return (
    <section aria-label={label} className="grid grid-cols-1 border-line border-t">
      {hidden > 0 && (
        <Button
          size="sm"
          variant="ghost"
          className="rounded-none! border-line border-b"
          onClick={() => setShowsAll(true)}
          // The first that was in sight: what was asked for comes above it.
          returnFocusTo={() => list.current?.querySelector<HTMLElement>('button') ?? null}
        >
          Show {counted(hidden, 'earlier message')}
        </Button>
      )}
      <ol ref={list} className="divide-y divide-line">
        {entries.slice(hidden).map((entry) => (
          <li key={entry.kind === 'sent' ? entry.campaignId : entry.messageId}>
            {entry.kind === 'sent' ? (
              <SentEntry entry={entry} />
            ) : (
              <ReceivedEntry entry={entry} inboxId={inboxId} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What came before a moment, and what after it. */
export function partedAt(entries: readonly ConversationEntry[], timestamp: string) {
  return {
    earlier: entries.filter((entry) => entry.timestamp <= timestamp),
    later: entries.filter((entry) => entry.timestamp > timestamp),
  }
}
