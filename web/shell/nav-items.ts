import { Gauge, History, Inbox, type LucideIcon, PenLine, Settings, StickyNote } from 'lucide-react'

interface NavItem {
  title: string
  path: string
  icon: LucideIcon
  /** Pressed after G, from anywhere but a text field. */
  key: string
}

export const navItems: readonly NavItem[] = [
  { title: 'Dashboard', path: '/', icon: Gauge, key: 'd' },
  { title: 'Inbox', path: '/inbox', icon: Inbox, key: 'i' },
  { title: 'Compose', path: '/compose', icon: PenLine, key: 'c' },
  { title: 'Templates', path: '/templates', icon: StickyNote, key: 't' },
  { title: 'History', path: '/history', icon: History, key: 'h' },
  { title: 'Settings', path: '/settings', icon: Settings, key: 's' },
]
