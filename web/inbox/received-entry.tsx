import { useQuery } from '@tanstack/react-query'
import type { ConversationEntry } from '../../contract/inbox.ts'
import { messageOf } from '../api/client.ts'
import { type MessagePlace, messageQuery } from '../api/inbox.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Attachments } from './attachments.tsx'
import { FoldedEntry } from './folded-entry.tsx'
import { BodySkeleton, MessageBody } from './message-body.tsx'
import { MessageFacts } from './message-facts.tsx'
import { senderName } from './shown-text.ts'
import { useMarkedRead } from './use-marked-read.ts'
import { useMessageActions } from './use-message-actions.ts'

interface ReceivedEntryProps {
  entry: Extract<ConversationEntry, { kind: 'received' }>
  inboxId: string
}

export function ReceivedEntry({ entry, inboxId }: ReceivedEntryProps) {
  const { messageId, from, preview, timestamp } = entry
  return (
    <FoldedEntry who={senderName(from)} timestamp={timestamp} preview={preview}>
      {() => <Received place={{ inboxId, messageId }} />}
    </FoldedEntry>
  )
}

function Received({ place }: { place: MessagePlace }) {
  const query = useQuery(messageQuery(place))
  const { data, error, isFetching, refetch } = query
  useMarkedRead(query, useMessageActions())
  if (data)
    return (
      <>
        <MessageFacts message={data} />
        <MessageBody message={data} />
        <Attachments message={data} />
      </>
    )
  if (error)
    return (
      <LoadFailure
        title="This message could not be loaded"
        reason={messageOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  return <BodySkeleton />
}
