import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { TelegramBot } from '../../contract/telegram.ts'
import { messageOf } from '../api/client.ts'
import { telegramBotQuery, telegramLinksQuery } from '../api/telegram.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { CardBody } from '../ui/card.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { SettingsCard } from './settings-card.tsx'
import { TelegramLink } from './telegram-link.tsx'

export function TelegramCard() {
  return (
    <SettingsCard of="telegram">
      {/* As high as its usual states, so that none of them moves anything as it comes. */}
      <CardBody className="min-h-59.5 md:min-h-52">
        <TelegramContent />
      </CardBody>
    </SettingsCard>
  )
}

function TelegramContent() {
  const bot = useQuery(telegramBotQuery)
  const links = useQuery(telegramLinksQuery)
  if (bot.data && links.data) {
    return (
      <div className="grid gap-4">
        {bot.data.state === 'none' && <NoBot />}
        {bot.data.state === 'unreachable' && <Unreachable bot={bot} problem={bot.data.problem} />}
        <TelegramLink bot={bot.data} link={links.data[0] ?? null} />
      </div>
    )
  }
  const failed = [bot, links].filter((query) => query.isError)
  const [first] = failed
  if (!first) return <TelegramSkeleton />
  return (
    <LoadFailure
      title="Your Telegram link could not be loaded"
      reason={messageOf(first.error)}
      isRetrying={failed.some((query) => query.isFetching)}
      onRetry={() => {
        for (const query of failed) void query.refetch()
      }}
    />
  )
}

function NoBot() {
  return (
    <div className="grid gap-3 text-pretty">
      <div className="grid gap-1">
        <p>This installation has no Telegram bot.</p>
        <p className="text-muted text-sm">Whoever operates it sets one up in three steps:</p>
      </div>
      <ol className="grid list-decimal gap-2 pl-5 text-soft marker:text-muted">
        <li>Ask @BotFather in Telegram for a new bot. It answers with a token.</li>
        <li>
          Set it as{' '}
          <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-ink text-sm">
            TELEGRAM_BOT_TOKEN
          </code>
          .
        </li>
        <li>Start Postrider again.</li>
      </ol>
    </div>
  )
}

interface UnreachableProps {
  bot: Pick<UseQueryResult<TelegramBot>, 'isFetching' | 'refetch'>
  problem: string | null
}

function Unreachable({ bot, problem }: UnreachableProps) {
  return (
    <Alert
      tone="warning"
      title="The Telegram bot cannot be reached"
      action={
        <Button pending={bot.isFetching} onClick={() => void bot.refetch()} returnFocusTo="around">
          Try again
        </Button>
      }
    >
      {problem ?? 'Nothing is known about the reason.'}
    </Alert>
  )
}

/** Line by line what whoever has not linked an account finds. */
function TelegramSkeleton() {
  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        Loading your Telegram link
      </p>
      <div className="grid gap-3">
        <Skeleton className="h-11 w-4/5 md:h-5.5" />
        <div className="grid gap-2">
          <Skeleton className="h-5.5 w-64" />
          <Skeleton className="h-5.5 w-64" />
          <Skeleton className="h-5.5 w-64" />
        </div>
      </div>
      <Skeleton className="tap-9 w-44" />
    </div>
  )
}
