import { classes } from '../ui/classes.ts'
import { textLink } from '../ui/text-link.ts'
import { counted } from '../ui/words.ts'
import type { RecipientsView } from './recipient-list.ts'
import type { FileReport } from './use-address-file.ts'
import { plural } from './words.ts'

interface RecipientsNoteProps {
  recipients: RecipientsView
  reports: readonly FileReport[]
  isLocked: boolean
  onShowBad: () => void
}

/** Below the recipients: what came out of a file, what looks wrong, else how to add some. */
export function RecipientsNote({ recipients, reports, isLocked, onShowBad }: RecipientsNoteProps) {
  const { badCount, all } = recipients
  return (
    <>
      <span role="status">
        {reports.map(({ kind, words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name and the same to tell
          <span key={index} className={classes('block', kind === 'failed' && 'text-failed-text')}>
            {words}
          </span>
        ))}
      </span>
      {badCount > 0 && (
        <>
          <span className="text-bounced-text">
            {counted(badCount, 'does', 'do')} not look like{' '}
            {plural(badCount, 'an email address', 'email addresses')}.
          </span>{' '}
          {all.length > 1 && (
            <button type="button" className={textLink} disabled={isLocked} onClick={onShowBad}>
              Look through {plural(badCount, 'it', 'them')}
            </button>
          )}
        </>
      )}
      {reports.length === 0 &&
        badCount === 0 &&
        'Enter or comma adds one. Paste a whole list, or drop a CSV or text file here.'}
    </>
  )
}
