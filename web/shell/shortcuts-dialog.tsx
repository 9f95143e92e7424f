import { Dialog } from '../ui/dialog.tsx'
import { navItems } from './nav-items.ts'

const command = navigator.platform.startsWith('Mac') || navigator.platform.startsWith('iP') ? '⌘' : 'Ctrl'

const general: readonly { keys: readonly string[]; does: string }[] = [
  { keys: [command, 'B'], does: 'Toggle the sidebar' },
  { keys: ['F8'], does: 'Go to the notification' },
  { keys: ['Esc'], does: 'Close what is open' },
  { keys: ['?'], does: 'Show this list' },
]

const places = navItems.map((item) => ({ keys: ['G', item.key.toUpperCase()], does: `Go to ${item.title}` }))

export function ShortcutsDialog(state: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog {...state} title="Keyboard shortcuts" description="They rest while you type in a field.">
      <dl className="grid gap-x-10 gap-y-2.5 md:grid-cols-2 md:grid-flow-col md:grid-rows-6">
        {[...places, ...general].map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt className="text-soft">{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-sm border border-line bg-sunken px-1.5 text-center font-medium font-sans text-sm"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
