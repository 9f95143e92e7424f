import { MoreHorizontal, Send } from 'lucide-react'
import { memo, useRef } from 'react'
import { Link } from 'wouter'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import { isMoving } from '../../contract/under-way.ts'
import { Button } from '../ui/button.tsx'
import { DropdownMenu, DropdownMenuItem } from '../ui/dropdown-menu.tsx'
import { TableCell, TableRow } from '../ui/table.tsx'
import { dateWords } from '../ui/words.ts'
import { CampaignProgress } from './campaign-progress.tsx'
import { DeliveryCell } from './delivery-cell.tsx'
import { COLUMNS, rowLook, rowShape } from './history-columns.ts'
import { RecipientsCell } from './recipients-cell.tsx'
import { useResend } from './resend.ts'
import { StateBadge, StatusBadge } from './status-badge.tsx'

/** Live numbers of one campaign must not draw the hundreds of others again. */
export const HistoryRow = memo(function HistoryRow({ entry }: { entry: HistoryEntry }) {
  const link = useRef<HTMLAnchorElement>(null)
  const moves = isMoving(entry)
  return (
    <>
      <TableRow className={rowShape(moves)}>
        <TableCell className={rowLook.subject}>
          <Link
            ref={link}
            href={`/history/${entry.id}`}
            className="-my-3 relative block grow rounded-sm py-3 font-medium underline-offset-4 hover:underline"
          >
            <span dir="auto" className="wrap-anywhere line-clamp-2 text-left">
              {entry.subject}
            </span>
          </Link>
        </TableCell>
        <TableCell label="Recipients">
          <RecipientsCell recipients={entry.recipients} count={entry.recipientCount} />
        </TableCell>
        <TableCell label="Sent Date" className="text-soft text-sm">
          <time dateTime={entry.sentDate}>{dateWords(entry.sentDate)}</time>
        </TableCell>
        <TableCell label="Status">
          <span className="flex flex-wrap justify-end gap-1 @3xl:justify-start">
            <StatusBadge status={entry.status} />
            <StateBadge state={entry.state} />
          </span>
        </TableCell>
        <TableCell label="Delivery">
          <DeliveryCell entry={entry} />
        </TableCell>
        <TableCell align="end" className={rowLook.actions}>
          <RowMenu entry={entry} />
        </TableCell>
      </TableRow>
      {moves && (
        <TableRow className={rowLook.progress}>
          <TableCell colSpan={COLUMNS.length} className="@3xl:pt-0">
            <CampaignProgress entry={entry} returnFocusTo={() => link.current} />
          </TableCell>
        </TableRow>
      )}
    </>
  )
})

function RowMenu({ entry }: { entry: HistoryEntry }) {
  const resend = useResend()
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${entry.subject}`}>
          <MoreHorizontal aria-hidden="true" className="size-4.5" />
        </Button>
      }
    >
      <DropdownMenuItem onSelect={() => resend(entry)}>
        <Send aria-hidden="true" />
        Resend Email
      </DropdownMenuItem>
    </DropdownMenu>
  )
}
