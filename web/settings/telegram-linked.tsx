import { useRef } from 'react'
import type { TelegramLink } from '../../contract/telegram.ts'
import { Alert } from '../ui/alert.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { textLink } from '../ui/text-link.ts'
import { dateWords } from '../ui/words.ts'
import { type FocusRelay, useFocusRelay } from './use-focus-relay.ts'

interface TelegramLinkedProps {
  link: TelegramLink
  bot: string
  /** Where its chat is; null while its name is unknown. */
  chat: string | null
  relay: FocusRelay
  onUnlink: () => void
}

/** Who is linked. Another account can be linked once this one is not any more. */
export function TelegramLinked({ link, bot, chat, relay, onUnlink }: TelegramLinkedProps) {
  const view = useRef<HTMLDivElement>(null)
  useFocusRelay(relay, { view, landing: '[tabindex]' })
  const { telegramFirstName, telegramUsername, linkedAt, isBlocked } = link
  return (
    <div ref={view} className="grid gap-4">
      <div tabIndex={-1} className="flex items-center gap-3 rounded-md">
        <Avatar name={telegramFirstName} className="size-10 bg-sunken" />
        <div className="wrap-anywhere grid min-w-0">
          <p>
            <bdi className="font-semibold">{telegramFirstName}</bdi>
            {telegramUsername !== null && <span className="text-soft"> @{telegramUsername}</span>}
          </p>
          <p className="text-muted text-sm">
            Linked since <time dateTime={linkedAt}>{dateWords(linkedAt)}</time>
          </p>
        </div>
      </div>
      {isBlocked ? (
        <Alert
          tone="warning"
          title="Alerts do not arrive"
          action={
            chat !== null && (
              <Button asChild>
                <a href={chat} target="_blank" rel="noopener">
                  Open in Telegram
                  <span className="sr-only"> in a new tab</span>
                </a>
              </Button>
            )
          }
        >
          You have blocked {bot} in Telegram. Open your chat with it and start it again.
        </Alert>
      ) : (
        <p className="text-pretty text-soft">
          Your campaigns, alerts and replies are in your chat with <BotName bot={bot} chat={chat} />.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button disabled>Unlink to Change Account</Button>
        <Button variant="ghost" onClick={onUnlink}>
          Unlink
        </Button>
      </div>
    </div>
  )
}

function BotName({ bot, chat }: Pick<TelegramLinkedProps, 'bot' | 'chat'>) {
  if (chat === null) return bot
  return (
    <a href={chat} target="_blank" rel="noopener" className={textLink}>
      {bot}
      <span className="sr-only"> in a new tab</span>
    </a>
  )
}
