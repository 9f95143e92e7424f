import { useQuery } from '@tanstack/react-query'
import { telegramBotQuery } from '../api/telegram.ts'
import { CardBody } from '../ui/card.tsx'
import { SettingsCard } from './settings-card.tsx'
import { TelegramLink } from './telegram-link.tsx'

export function TelegramCard() {
  const { data: bot } = useQuery(telegramBotQuery)
  return (
    <SettingsCard of="telegram">
      <CardBody>{bot?.name ? <TelegramLink bot={bot.name} /> : <NoBot />}</CardBody>
    </SettingsCard>
  )
}

function NoBot() {
  return (
    <div className="grid gap-1 text-pretty">
      <p>This installation has no Telegram bot.</p>
      <p className="text-muted text-sm">
        Whoever operates it gets a token from @BotFather in Telegram, sets it as{' '}
        <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-ink">TELEGRAM_BOT_TOKEN</code> and
        starts Postrider again.
      </p>
    </div>
  )
}
