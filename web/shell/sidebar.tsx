import { Keyboard } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { Avatar } from '../ui/avatar.tsx'
import { BrandMark } from '../ui/brand-mark.tsx'
import { classes } from '../ui/classes.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { navItems } from './nav-items.ts'
import { UnreadCount } from './unread-count.tsx'

/*
  Collapsed, the rail only gets narrower: icons keep their place, words are clipped but stay the links' names.
  8 px of padding around a 32 px row puts every icon on the middle of the 3rem rail.
*/
const row =
  'tap-9 relative flex w-full items-center gap-3 overflow-clip whitespace-nowrap rounded-md px-[7px] text-left font-medium -outline-offset-2 transition-colors hover:bg-hover hover:text-ink'
/** More than a row that is pointed at: a stroke of the accent before it. */
const here =
  'bg-hover text-ink before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-full before:bg-accent'

interface SidebarProps {
  email: string
  collapsed: boolean
  onNavigate?: () => void
  /** Left out on a phone, which has no keys to press. */
  onShowShortcuts?: () => void
}

export function Sidebar({ email, collapsed, onNavigate, onShowShortcuts }: SidebarProps) {
  const [location] = useLocation()
  return (
    <div className="flex min-h-0 grow flex-col overflow-clip">
      <div className="flex h-14 shrink-0 items-center gap-2.5 px-2.5">
        <BrandMark className="size-7" />
        <span className="font-semibold text-lg tracking-tight">Postrider</span>
      </div>
      <nav aria-label="Main" className="min-h-0 grow overflow-y-auto overflow-x-hidden p-2">
        <ul className="grid grid-cols-1 gap-0.5">
          {navItems.map(({ title, path, icon: Icon }) => {
            const active = path === location
            return (
              <li key={path}>
                <Tooltip text={title} side="right" disabled={!collapsed}>
                  <Link
                    href={path}
                    data-testid={`link-${title.toLowerCase()}`}
                    data-active={active}
                    aria-current={active ? 'page' : undefined}
                    onClick={onNavigate}
                    className={classes(row, active ? here : 'text-soft')}
                  >
                    <Icon
                      aria-hidden="true"
                      className={classes('size-4.5 shrink-0', active && 'text-accent-text')}
                    />
                    {title}
                    {path === '/inbox' && <UnreadCount collapsed={collapsed} />}
                  </Link>
                </Tooltip>
              </li>
            )
          })}
        </ul>
      </nav>
      <div className="grid shrink-0 grid-cols-1 gap-0.5 border-line border-t p-2">
        {onShowShortcuts && (
          <Tooltip text="Keyboard shortcuts" side="right" disabled={!collapsed}>
            <button type="button" onClick={onShowShortcuts} className={classes(row, 'text-soft')}>
              <Keyboard aria-hidden="true" className="size-4.5 shrink-0" />
              Keyboard shortcuts
            </button>
          </Tooltip>
        )}
        <div title={email} className="flex h-11 items-center gap-2.5 overflow-clip px-0.5">
          <Avatar name={email} className="size-7 bg-card" />
          <span className="truncate text-muted text-sm">{email}</span>
        </div>
      </div>
    </div>
  )
}
