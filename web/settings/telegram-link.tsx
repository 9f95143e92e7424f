import { useRef, useState } from 'react'
import type { TelegramLink as Link, TelegramBot } from '../../contract/telegram.ts'
import { Alert } from '../ui/alert.tsx'
import { TelegramCode } from './telegram-code.tsx'
import { TelegramLinked } from './telegram-linked.tsx'
import { TelegramStart } from './telegram-start.tsx'
import { UnlinkDialog } from './telegram-unlink-dialog.tsx'
import type { FocusRelay } from './use-focus-relay.ts'
import { useTelegramLink } from './use-telegram-link.ts'

interface TelegramLinkProps {
  bot: TelegramBot
  link: Link | null
}

/** No code, a code, or an account; it goes from one to the next also when something happens in Telegram. */
export function TelegramLink({ bot, link }: TelegramLinkProps) {
  const area = useRef<HTMLDivElement>(null)
  const relay: FocusRelay = useRef('elsewhere')
  const name = bot.name === null ? 'the bot' : `@${bot.name}`
  const model = useTelegramLink(link, name)
  // By its id: another account that is linked meanwhile is another question.
  const [askedId, setAskedId] = useState<string | null>(null)
  const asked = link?.id === askedId ? link : null
  const { code, news, isGenerating, generate } = model
  return (
    <div ref={area}>
      {/* There before it has something to say, so that a screen reader tells when it does. */}
      <div role="status">{news && <News of={news} bot={name} />}</div>
      {link ? (
        <TelegramLinked
          link={link}
          bot={name}
          chat={bot.name === null ? null : `https://t.me/${bot.name}`}
          relay={relay}
          onUnlink={() => setAskedId(link.id)}
        />
      ) : code ? (
        <TelegramCode
          key={code.code}
          code={code}
          bot={name}
          relay={relay}
          isGenerating={isGenerating}
          onGenerate={generate}
          onCancel={model.cancel}
        />
      ) : (
        bot.state === 'ready' && (
          <TelegramStart bot={name} relay={relay} isGenerating={isGenerating} onGenerate={generate} />
        )
      )}
      <UnlinkDialog
        link={asked}
        isPending={model.isUnlinking}
        onConfirm={() => asked && model.unlink(asked, { onSettled: () => setAskedId(null) })}
        onClose={() => setAskedId(null)}
        returnFocusTo={() => area.current?.querySelector('button') ?? null}
      />
    </div>
  )
}

function News({ of, bot }: { of: 'linked' | 'unlinked'; bot: string }) {
  return (
    <div className="mb-4">
      {of === 'linked' ? (
        <Alert tone="success">Your account is linked. Send /help to {bot} to see what it can do.</Alert>
      ) : (
        <Alert>Your Telegram account is no longer linked.</Alert>
      )}
    </div>
  )
}
