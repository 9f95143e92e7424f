import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { inboxShortcuts } from './inbox-shortcuts.ts'
import { navItems } from './nav-items.ts'

const command = navigator.platform.startsWith('Mac') || navigator.platform.startsWith('iP') ? '⌘' : 'Ctrl'

const general: readonly { keys: readonly string[]; does: string }[] = [
  { keys: [command, 'Enter'], does: 'Send the email' },
  { keys: [command, 'B'], does: 'Toggle the sidebar' },
  { keys: ['F8'], does: 'Go to the notification' },
  { keys: ['Esc'], does: 'Close what is open' },
  { keys: ['?'], does: 'Show this list' },
]

const places = navItems.map((item) => ({ keys: ['G', item.key.toUpperCase()], does: `Go to ${item.title}` }))

export function ShortcutsDialog(state: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      {...state}
      title="Keyboard shortcuts"
      description="Single letters rest while you type in a field."
    >
      <div className="grid gap-6">
        <Shortcuts of={[...places, ...general]} rows="md:grid-rows-6" />
        <section aria-labelledby="inbox-shortcuts" className="grid gap-2.5">
          <h3 id="inbox-shortcuts" className="font-semibold">
            In the inbox
          </h3>
          <Shortcuts of={inboxShortcuts} rows="md:grid-rows-4" />
        </section>
      </div>
    </Dialog>
  )
}

interface ShortcutsProps {
  of: readonly { keys: readonly string[]; does: string }[]
  rows: string
}

function Shortcuts({ of, rows }: ShortcutsProps) {
  return (
    <dl className={classes('grid gap-x-10 gap-y-2.5 md:grid-flow-col md:grid-cols-2', rows)}>
      {of.map(({ keys, does }) => (
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
  )
}
