import { type ReactNode, useCallback, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { Sheet } from '../ui/sheet.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Header } from './header.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'
import { SessionNotice } from './session-notice.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebarState } from './sidebar-state.ts'
import { useShortcuts } from './use-shortcuts.ts'

/** Everything around a signed-in screen. */
export function AppShell({ email, children }: { email: string; children: ReactNode }) {
  const sidebar = useSidebarState()
  const [shortcutsOpen, setShortcutsOpen] = useState(false)
  const showShortcuts = useCallback(() => setShortcutsOpen(true), [])
  useShortcuts(showShortcuts)

  return (
    <TooltipProvider>
      <div className="flex min-h-dvh">
        <a
          href="#content"
          className="-translate-y-20 fixed top-2 left-2 z-50 rounded-md bg-ink px-4 py-2.5 font-medium text-paper focus:translate-y-0"
        >
          Skip to content
        </a>
        {sidebar.isPhone ? (
          <Sheet
            open={sidebar.sheetOpen}
            onOpenChange={sidebar.setSheetOpen}
            side="left"
            title="Navigation"
            titleHidden
          >
            <Sidebar email={email} collapsed={false} onNavigate={() => sidebar.setSheetOpen(false)} />
          </Sheet>
        ) : (
          <aside
            aria-label="Sidebar"
            data-state={sidebar.expanded ? 'expanded' : 'collapsed'}
            className={classes(
              'sticky top-0 flex h-dvh shrink-0 flex-col border-line border-r bg-sunken transition-[width] duration-150 ease-out',
              sidebar.expanded ? 'w-64' : 'w-12',
            )}
          >
            <Sidebar email={email} collapsed={!sidebar.expanded} onShowShortcuts={showShortcuts} />
          </aside>
        )}
        <div className="flex min-w-0 grow flex-col">
          <Header sidebar={sidebar} />
          <SessionNotice email={email} />
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto w-full max-w-300 grow px-4 py-6 outline-none md:px-6 md:py-8"
          >
            {children}
          </main>
        </div>
        <RouteAnnouncer />
        <ShortcutsDialog open={shortcutsOpen} onOpenChange={setShortcutsOpen} />
      </div>
    </TooltipProvider>
  )
}
