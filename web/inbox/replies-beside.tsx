import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useQueryString } from '../ui/use-query-string.ts'
import { INBOX_PATH, readView } from './inbox-view.ts'
import { LeaveRepliesDialog } from './leave-dialog.tsx'
import { useGoneReplies } from './use-gone-replies.ts'

/** Stands beside all screens: a reply may fail, and its message be deleted, when its own screen has been left. */
export function RepliesBeside() {
  const [path] = useLocation()
  const search = useQueryString()
  const shown = useMemo(() => (path === INBOX_PATH ? readView(search).open : null), [path, search])
  useGoneReplies(shown)
  return <LeaveRepliesDialog />
}
