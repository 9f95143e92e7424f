import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Settings } from '../../contract/settings.ts'
import { messageOf } from '../api/client.ts'
import { instanceQuery } from '../api/instance.ts'
import { useSettingsReadAnew } from '../api/settings.ts'
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
  const settings = useBegunSettings()
  const instance = useQuery(instanceQuery)
  if (settings.begunWith && instance.data)
    return <SettingsCards settings={settings.begunWith} instance={instance.data} />
  const failed = [...(settings.hasFailed ? [settings.query] : []), ...(instance.isError ? [instance] : [])]
  const [first] = failed
  if (!first) return <SettingsSkeleton />
  const retry = () => {
    for (const query of failed) void query.refetch()
  }
  return (
    <LoadFailure
      title="Your settings could not be loaded"
      reason={messageOf(first.error)}
      isRetrying={failed.some((query) => query.isFetching)}
      onRetry={retry}
    />
  )
}

/**
 * Whoever opens the screen sees what is stored now, not what this page has read some time ago. Once the form is begun it
 * is its own: what is read after a save, or cannot be, takes nothing away that was typed.
 */
function useBegunSettings() {
  const query = useSettingsReadAnew()
  const [begunWith, begin] = useState<Settings | null>(null)
  if (!begunWith && query.isFetchedAfterMount && query.isSuccess) begin(query.data)
  return { query, begunWith, hasFailed: query.isFetchedAfterMount && query.isError }
}
