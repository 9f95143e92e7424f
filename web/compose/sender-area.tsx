import { type ReactNode, useId, useState } from 'react'
import { Link } from 'wouter'
import { SENDER_NAME_MAX } from '../../contract/campaigns.ts'
import { messageOf } from '../api/client.ts'
import { useInstance } from '../api/instance.ts'
import { Alert } from '../ui/alert.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { SenderLines } from '../ui/sender-lines.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { textLink } from '../ui/text-link.ts'
import { hasSender, type Sender, senderOf, waysOf } from './sender.ts'
import type { Composer } from './use-composer.ts'

interface SenderAreaProps {
  composer: Composer
  isLocked: boolean
}

/**
 * Who it comes from: the notice or the preview that the settings allow. The two fields behind it, for this one email,
 * are folded away, for they are rarely wanted; where there is no preview, they are all there is.
 */
export function SenderArea({ composer, isLocked }: SenderAreaProps) {
  const fieldsId = useId()
  const [isWanted, setIsWanted] = useState(false)
  const { settings } = composer
  const hasPreview = settings.data === undefined || hasSender(settings.data)
  const isOpen = isWanted || !hasPreview
  return (
    <div className="grid gap-5">
      <SenderStanding
        composer={composer}
        change={
          <button
            type="button"
            className={textLink}
            aria-expanded={isOpen}
            aria-controls={isOpen ? fieldsId : undefined}
            onClick={() => setIsWanted(!isWanted)}
          >
            {isOpen ? 'Hide the fields' : 'Change for this email'}
          </button>
        }
      />
      {isOpen && <SenderFields id={fieldsId} composer={composer} isLocked={isLocked} />}
    </div>
  )
}

function SenderFields({ id, composer, isLocked }: SenderAreaProps & { id: string }) {
  const { letter, write, settings } = composer
  return (
    <div id={id} className="grid items-start gap-5 md:grid-cols-2">
      <Field label="Sender Name">
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            maxLength={SENDER_NAME_MAX}
            placeholder={settings.data?.fromName}
            value={letter.senderName}
            readOnly={isLocked}
            onChange={(event) => write({ senderName: event.target.value })}
          />
        )}
      </Field>
      <Field label="Reply-To Email">
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            maxLength={320}
            placeholder={settings.data?.fromEmail}
            value={letter.replyTo}
            readOnly={isLocked}
            onChange={(event) => write({ replyTo: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}

interface SenderStandingProps {
  composer: Composer
  /** Opens the fields. */
  change: ReactNode
}

function SenderStanding({ composer: { settings, letter }, change }: SenderStandingProps) {
  const instance = useInstance()
  if (settings.data) {
    return hasSender(settings.data) ? (
      <SenderPreview sender={senderOf(letter, settings.data, instance)} change={change} />
    ) : (
      <SenderNotice />
    )
  }
  if (settings.isError)
    return (
      <Alert
        tone="danger"
        title="Your sender information could not be loaded"
        action={
          <Button
            size="sm"
            onClick={() => void settings.refetch()}
            pending={settings.isFetching}
            returnFocusTo="around"
          >
            Try again
          </Button>
        }
      >
        {messageOf(settings.error)}
      </Alert>
    )
  return <Skeleton className="h-45 md:h-30" />
}

function SenderNotice() {
  return (
    <Alert
      tone="warning"
      title="Sender Information Required"
      action={
        <Button size="sm" asChild>
          <Link href="/settings">Configure Settings</Link>
        </Button>
      }
    >
      Please configure your sender name and email in settings before sending.
    </Alert>
  )
}

function SenderPreview({ sender, change }: { sender: Sender; change: ReactNode }) {
  const { name, address, replyTo } = sender
  return (
    <section
      aria-label="Sender"
      className="flex min-h-45 items-start gap-3 rounded-md bg-sunken px-4 py-3 md:min-h-30"
    >
      <Avatar name={name} className="mt-0.5 size-9 bg-card max-md:hidden" />
      <div className="grid min-w-0 grow gap-1">
        <SenderLines name={name} from={address} replyTo={replyTo} />
        <p className="text-pretty text-muted text-sm">{waysOf(sender)}</p>
        <p className="flex gap-x-4 text-sm">
          {change}
          <Link href="/settings" className={textLink}>
            Settings
          </Link>
        </p>
      </div>
    </section>
  )
}
