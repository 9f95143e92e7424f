import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../api/client.ts'
import { instanceQuery } from '../api/instance.ts'
import { useSettings } from '../api/settings.ts'
import { usePageTitle } from '../shell/page-title.ts'
import { LoadFailure } from '../ui/load-failure.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SettingsCards } from './settings-cards.tsx'
import { SettingsSkeleton } from './settings-skeleton.tsx'
import { TelegramCard } from './telegram-card.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  return (
    <div className="max-w-180">
      <PageHeader title="Settings" subtitle="Your email provider, sender details and Telegram bot" />
      <div className="grid gap-6">
        <SettingsContent />
        <TelegramCard />
      </div>
    </div>
  )
}

function SettingsContent() {
  const settings = useSettings()
  const instance = useQuery(instanceQuery)
  if (settings.data && instance.data)
    return <SettingsCards settings={settings.data} instance={instance.data} />
  const failed = [settings, instance].filter((query) => query.isError)
  const [first] = failed
  if (!first) return <SettingsSkeleton />
  const retry = () => {
    for (const query of failed) void query.refetch()
  }
  return (
    <LoadFailure title="Your settings could not be loaded" reason={messageOf(first.error)} onRetry={retry} />
  )
}
