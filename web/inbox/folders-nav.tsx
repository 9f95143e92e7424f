import { Link } from 'wouter'
import { INBOX_FOLDERS, type InboxFolder } from '../../contract/inbox.ts'
import { useUnread } from '../api/inbox.ts'
import { classes } from '../ui/classes.ts'
import { inWords } from '../ui/words.ts'
import { pathOfView } from './inbox-view.ts'

export const FOLDER_NAMES: Record<InboxFolder, string> = {
  inbox: 'Inbox',
  archived: 'Archived',
  automatic: 'Automatic replies',
}

/** What is searched for stays: it may well be in the next folder. None is marked while another list is shown. */
export function FoldersNav({ folder, q }: { folder: InboxFolder | null; q: string }) {
  const unread = useUnread()
  return (
    <nav aria-label="Folders" className="shrink-0 overflow-x-auto border-line border-b px-2">
      <ul className="flex gap-1">
        {INBOX_FOLDERS.map((name) => {
          const isShown = name === folder
          const count = name === 'archived' ? 0 : (unread?.[name] ?? 0)
          return (
            <li key={name}>
              <Link
                href={pathOfView({ folder: name, q, campaign: null, open: null })}
                aria-current={isShown ? 'page' : undefined}
                className={classes(
                  'tap-10 flex min-w-11 items-center gap-1.5 whitespace-nowrap border-b-2 px-2 font-medium text-sm -outline-offset-2 transition-colors',
                  isShown ? 'border-ink text-ink' : 'border-transparent text-muted hover:text-ink',
                )}
              >
                {FOLDER_NAMES[name]}
                {count > 0 && (
                  <span className="rounded-full bg-hover px-1.5 text-soft text-xs">
                    {inWords(count)}
                    <span className="sr-only"> unread</span>
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
