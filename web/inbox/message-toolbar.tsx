import { Archive, ArchiveRestore, FileText, type LucideIcon, Mail, Reply, Trash2 } from 'lucide-react'
import type { InboxItem } from '../../contract/inbox.ts'
import { Button } from '../ui/button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

interface MessageToolbarProps {
  message: InboxItem
  /** Null where there is nobody to answer. */
  onReply: (() => void) | null
  onArchive: () => void
  onUnread: () => void
  onDelete: () => void
  onOriginal: () => void
}

export function MessageToolbar(props: MessageToolbarProps) {
  const { message, onReply, onArchive, onUnread, onDelete, onOriginal } = props
  const isArchived = message.folder === 'archived'
  return (
    <div className="-ml-2.5 flex flex-wrap">
      {onReply && <Action icon={Reply} words="Reply" hotkey="R" onPress={onReply} />}
      <Action
        icon={isArchived ? ArchiveRestore : Archive}
        words={isArchived ? 'Move back' : 'Archive'}
        hotkey="E"
        onPress={onArchive}
      />
      <Action icon={Mail} words="Mark unread" hotkey="U" onPress={onUnread} />
      <Action icon={Trash2} words="Delete" hotkey="#" onPress={onDelete} />
      <Action icon={FileText} words="Show original" onPress={onOriginal} />
    </div>
  )
}

interface ActionProps {
  icon: LucideIcon
  words: string
  hotkey?: string
  onPress: () => void
}

/** Its words stand beside the icon where there is room, and come with the pointer in any case. */
function Action({ icon: Icon, words, hotkey, onPress }: ActionProps) {
  return (
    <Tooltip text={hotkey ? `${words} (${hotkey})` : words}>
      <Button size="sm" variant="ghost" aria-label={words} className="min-w-11" onClick={onPress}>
        <Icon aria-hidden="true" className="size-4" />
        <span className="hidden @lg:inline">{words}</span>
      </Button>
    </Tooltip>
  )
}
