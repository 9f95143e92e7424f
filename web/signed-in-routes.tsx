import { Route, Switch } from 'wouter'
import type { Session } from '../contract/auth.ts'
import { useLiveUpdates } from './api/live.ts'
import { RepliesBeside } from './inbox/replies-beside.tsx'
import { AppShell } from './shell/app-shell.tsx'
import { loadLater } from './shell/load-later.tsx'

/* Every screen is loaded when it is first opened; the shell is there meanwhile. */
const DashboardPage = loadLater(async () => (await import('./dashboard/dashboard-page.tsx')).DashboardPage)
const InboxPage = loadLater(async () => (await import('./inbox/inbox-page.tsx')).InboxPage)
const ComposePage = loadLater(async () => (await import('./compose/compose-page.tsx')).ComposePage)
const TemplatesPage = loadLater(async () => (await import('./templates/templates-page.tsx')).TemplatesPage)
const HistoryPage = loadLater(async () => (await import('./history/history-page.tsx')).HistoryPage)
const CampaignPage = loadLater(async () => (await import('./history/campaign-page.tsx')).CampaignPage)
const SettingsPage = loadLater(async () => (await import('./settings/settings-page.tsx')).SettingsPage)
const SuppressionsPage = loadLater(
  async () => (await import('./suppressions/suppressions-page.tsx')).SuppressionsPage,
)
const NotFoundPage = loadLater(async () => (await import('./not-found/not-found-page.tsx')).NotFoundPage)

export function SignedInRoutes({ session }: { session: Session }) {
  useLiveUpdates()
  return (
    <AppShell email={session.user.email}>
      <Switch>
        <Route path="/" component={DashboardPage} />
        <Route path="/inbox" component={InboxPage} />
        <Route path="/compose/:templateId?" component={ComposePage} />
        <Route path="/templates" component={TemplatesPage} />
        <Route path="/history" component={HistoryPage} />
        <Route path="/history/:id" component={CampaignPage} />
        <Route path="/settings" component={SettingsPage} />
        <Route path="/suppressions" component={SuppressionsPage} />
        <Route component={NotFoundPage} />
      </Switch>
      <RepliesBeside />
    </AppShell>
  )
}
