import { Route, Switch } from 'wouter'
import type { Session } from '../contract/auth.ts'
import { ComposePage } from './compose/compose-page.tsx'
import { DashboardPage } from './dashboard/dashboard-page.tsx'
import { HistoryPage } from './history/history-page.tsx'
import { InboxPage } from './inbox/inbox-page.tsx'
import { NotFoundPage } from './not-found/not-found-page.tsx'
import { SettingsPage } from './settings/settings-page.tsx'
import { AppShell } from './shell/app-shell.tsx'
import { TemplatesPage } from './templates/templates-page.tsx'

export function SignedInRoutes({ session }: { session: Session }) {
  return (
    <AppShell email={session.user.email}>
      <Switch>
        <Route path="/" component={DashboardPage} />
        <Route path="/inbox" component={InboxPage} />
        <Route path="/compose/:templateId?" component={ComposePage} />
        <Route path="/templates" component={TemplatesPage} />
        <Route path="/history" component={HistoryPage} />
        <Route path="/settings" component={SettingsPage} />
        <Route component={NotFoundPage} />
      </Switch>
    </AppShell>
  )
}
