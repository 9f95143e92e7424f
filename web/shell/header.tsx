import { PanelLeft } from 'lucide-react'
import { useMayBeOutOfDate } from '../api/connection.ts'
import { useStanding } from '../api/page-session.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { LogoutButton } from './logout-button.tsx'
import type { SidebarState } from './sidebar-state.ts'
import { ThemeToggle } from './theme-toggle.tsx'

export function Header({ sidebar }: { sidebar: SidebarState }) {
  const mayBeOutOfDate = useMayBeOutOfDate()
  // Where nobody is signed in any more, the page says that instead.
  const isCut = useStanding() === 'signed in' && mayBeOutOfDate
  const open = sidebar.isPhone ? sidebar.sheetOpen : sidebar.expanded
  return (
    <header
      data-bar="top"
      className="sticky top-0 z-30 flex h-14 items-center gap-1 border-line border-b bg-paper px-2 md:px-4"
    >
      <Tooltip text="Toggle sidebar">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Toggle sidebar"
          aria-expanded={open}
          onClick={sidebar.toggle}
        >
          <PanelLeft aria-hidden="true" className="size-4.5" />
        </Button>
      </Tooltip>
      {sidebar.isPhone && (
        <span className="flex items-center gap-2 font-semibold tracking-tight">
          <BrandMark className="size-6" />
          {/* On the narrowest screens there is room for one of the two. */}
          <span className={classes(isCut && 'max-[24rem]:sr-only')}>Postrider</span>
        </span>
      )}
      <ConnectionNote isShown={isCut} />
      <div className="flex items-center gap-1">
        <ThemeToggle around={(button, words) => <Tooltip text={words}>{button}</Tooltip>} />
        <LogoutButton />
      </div>
    </header>
  )
}
