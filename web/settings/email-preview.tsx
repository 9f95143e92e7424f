import { Avatar } from '../ui/avatar.tsx'
import { SenderLines } from '../ui/sender-lines.tsx'

interface EmailPreviewProps {
  name: string
  /** The address that mail leaves from. */
  from: string
  replyTo: string
}

/** Its room is there from the start, so that nothing moves when the second field is filled. */
export function EmailPreview({ name, from, replyTo }: EmailPreviewProps) {
  const isComplete = name !== '' && replyTo !== ''
  return (
    <div className="grid min-h-32 content-center rounded-md bg-sunken px-4 py-3">
      {isComplete ? (
        <section aria-labelledby="preview-title" className="grid gap-2">
          <h3 id="preview-title" className="font-medium text-muted text-sm">
            Email Preview
          </h3>
          <div className="flex items-start gap-3">
            <Avatar name={name} className="size-9 bg-card" />
            <SenderLines name={name} from={from} replyTo={replyTo} />
          </div>
          <p className="text-pretty text-muted text-sm">
            {from === replyTo
              ? 'Mail goes out from your own address, and replies come back to it.'
              : 'Mail goes out from the verified address of this installation under your name; replies go to you.'}
          </p>
        </section>
      ) : (
        <p className="text-pretty text-muted text-sm">
          Fill in both, and you see here how your mail looks to its recipients.
        </p>
      )}
    </div>
  )
}
