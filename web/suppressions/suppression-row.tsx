import { memo } from 'react'
import { Link } from 'wouter'
import type { Suppression } from '../../contract/suppressions.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { TableCell, TableRow } from '../ui/table.tsx'
import { dateWords } from '../ui/words.ts'
import { REASON_NAMES, REASON_TONES } from './reason-words.ts'
import { rowLook } from './suppressions-columns.ts'

interface SuppressionRowProps {
  entry: Suppression
  onRemove: (entry: Suppression) => void
}

/** One that is opened again must not draw the hundreds of others. */
export const SuppressionRow = memo(function SuppressionRow({ entry, onRemove }: SuppressionRowProps) {
  const { address, reason, words, campaign, since } = entry
  return (
    <TableRow className={rowLook.row}>
      <TableCell className={rowLook.address}>
        <span className="wrap-anywhere font-medium">{address}</span>
      </TableCell>
      <TableCell label="Reason">
        <span className="grid min-w-0 justify-items-end gap-0.5 @3xl:justify-items-start">
          <Badge tone={REASON_TONES[reason]}>{REASON_NAMES[reason]}</Badge>
          {words !== null && (
            <span
              title={words}
              className="wrap-anywhere line-clamp-2 text-right text-muted text-sm @3xl:text-left"
            >
              {words}
            </span>
          )}
        </span>
      </TableCell>
      <TableCell label="Caused by" className={classes(campaign === null && '@max-3xl:hidden')}>
        {campaign && (
          <Link
            href={`/history/${campaign.id}`}
            className="-my-3 relative block min-w-0 rounded-sm py-3 text-soft text-sm underline-offset-4 hover:underline"
          >
            <span dir="auto" className="wrap-anywhere line-clamp-2 text-right @3xl:text-left">
              {campaign.subject}
            </span>
          </Link>
        )}
      </TableCell>
      <TableCell label="Since" className="text-soft text-sm">
        <time dateTime={since}>{dateWords(since)}</time>
      </TableCell>
      <TableCell align="end" className={rowLook.actions}>
        <Button size="sm" variant="ghost" aria-label={`Remove ${address}`} onClick={() => onRemove(entry)}>
          Remove
        </Button>
      </TableCell>
    </TableRow>
  )
})
