import { Link } from 'wouter'
import type { InboxFolder } from '../../contract/inbox.ts'
import { useInboxAddressReadAnew } from '../api/inbox.ts'
import { useSettings } from '../api/settings.ts'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { LedgerDrawing, SignpostDrawing, TrayDrawing } from '../ui/drawings.tsx'
import { PaneNote } from './pane-note.tsx'

interface ListEmptyProps {
  folder: InboxFolder
  isSearched: boolean
  onClear: () => void
  returnFocusTo: () => HTMLElement | null
}

export function ListEmpty({ folder, isSearched, onClear, returnFocusTo }: ListEmptyProps) {
  if (isSearched)
    return (
      <div role="status">
        <PaneNote
          drawing={<SignpostDrawing />}
          title="No matching messages"
          text="Search looks at senders, subjects and texts of this folder. Try other words, or the beginning of one."
          action={
            <Button onClick={onClear} returnFocusTo={returnFocusTo}>
              Show the whole folder
            </Button>
          }
        />
      </div>
    )
  if (folder === 'archived')
    return (
      <PaneNote
        drawing={<LedgerDrawing />}
        title="Nothing archived"
        text="What you are done with can be put away here: with Archive in a message, or the key E."
      />
    )
  if (folder === 'automatic')
    return (
      <PaneNote
        drawing={<LedgerDrawing />}
        title="No automatic replies"
        text="Out-of-office notes and the like come here, so that the inbox holds what people wrote."
      />
    )
  return <NoMessages />
}

/** The one thing to do so that replies arrive depends on what is set up already. */
function NoMessages() {
  const { data } = useInboxAddressReadAnew()
  const settings = useSettings()
  const isUsed = settings.data?.fromEmail.trim().toLowerCase() === data?.address
  return (
    <PaneNote
      drawing={<TrayDrawing />}
      title="No messages yet"
      text={
        data?.isReceiving === false
          ? 'This installation receives no mail. Whoever runs it can change that by setting INBOUND_SMTP_PORT and INBOUND_DOMAIN.'
          : 'When someone answers one of your emails, the reply arrives here and you answer it without leaving Postrider.'
      }
      action={
        data?.isReceiving && (
          <>
            <div className="w-full">
              <CopyField
                label="Your inbox address"
                value={data.address}
                isNarrow
                hint={
                  isUsed
                    ? 'It is your reply-to address: answers to your emails come here.'
                    : 'Make it your reply-to address, and answers to your emails come here.'
                }
              />
            </div>
            <Button asChild variant="primary">
              {isUsed ? (
                <Link href="/compose">Compose Email</Link>
              ) : (
                <Link href="/settings">Set Reply-To Address</Link>
              )}
            </Button>
          </>
        )
      }
    />
  )
}
