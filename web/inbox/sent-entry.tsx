import { Link } from 'wouter'
import type { ConversationEntry } from '../../contract/inbox.ts'
import { Badge } from '../ui/badge.tsx'
import { STATE_NAMES, STATE_TONES } from '../ui/delivery-states.ts'
import { quietLink } from '../ui/text-link.ts'
import { dateWords } from '../ui/words.ts'
import { FoldedEntry } from './folded-entry.tsx'
import { PlainText } from './plain-text.tsx'
import { isBlank } from './reply-texts.ts'
import { shownLine } from './shown-text.ts'
import { ownWords } from './text-parts.ts'

interface SentEntryProps {
  entry: Extract<ConversationEntry, { kind: 'sent' }>
}

/** A mail of our own, with what became of it. */
export function SentEntry({ entry }: SentEntryProps) {
  const { campaignId, to, subject, text, timestamp, state, reason } = entry
  return (
    <FoldedEntry
      who="You"
      timestamp={timestamp}
      preview={ownWords(text).slice(0, 300) || subject}
      aside={<Badge tone={STATE_TONES[state]}>{STATE_NAMES[state]}</Badge>}
    >
      {() => (
        <>
          <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-sm">
            <dt className="text-muted">To</dt>
            <dd>
              <bdi>{shownLine(to)}</bdi>
            </dd>
            <dt className="text-muted">Date</dt>
            <dd>
              <time dateTime={timestamp}>{dateWords(timestamp)}</time>
            </dd>
            {reason !== null && (
              <>
                <dt className="text-muted">{STATE_NAMES[state]}</dt>
                <dd>{shownLine(reason)}</dd>
              </>
            )}
          </dl>
          {isBlank(text) ? (
            <p className="text-muted">This email was sent without a text.</p>
          ) : (
            <PlainText text={text} label="Text of the message" />
          )}
          <p>
            <Link href={`/history/${campaignId}`} className={quietLink}>
              Show in History
            </Link>
          </p>
        </>
      )}
    </FoldedEntry>
  )
}
