import { TriangleAlert, X } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { ignoreHeldKey, onFirstClick } from '../ui/press.ts'
import { VirtualList } from '../ui/virtual-list.tsx'
import { counted, inWords } from '../ui/words.ts'
import { reachedOf, wrongWords } from './outlook.ts'
import type { Recipient } from './recipient-address.ts'
import { leftOutLook } from './recipient-chips.tsx'
import type { Composer } from './use-composer.ts'

export type PanelFilter = 'all' | 'bad'

interface RecipientsPanelProps {
  composer: Composer
  /** Null is closed. */
  filter: PanelFilter | null
  onFilter: (filter: PanelFilter | null) => void
  /** For the keyboard, when what opened it is gone. */
  returnFocusTo: () => HTMLElement | null
}

/** All recipients, to look through and to weed. */
export function RecipientsPanel({ composer, filter, onFilter, returnFocusTo }: RecipientsPanelProps) {
  const { recipients, leftOut } = composer
  return (
    <Dialog
      open={filter !== null}
      onOpenChange={(open) => {
        if (!open) onFilter(null)
      }}
      returnFocusTo={returnFocusTo}
      title="Recipients"
      description={getWords(reachedOf(recipients, leftOut), leftOut.length, recipients.badCount)}
    >
      {filter !== null && <PanelContent composer={composer} filter={filter} onFilter={onFilter} />}
    </Dialog>
  )
}

function PanelContent({
  composer: { recipients, isLeftOut, removeRecipients },
  filter,
  onFilter,
}: Pick<RecipientsPanelProps, 'composer' | 'onFilter'> & { filter: PanelFilter }) {
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query.trim().toLowerCase())
  const { all, badCount } = recipients
  const shown = useMemo(() => matching(all, filter, wanted), [all, filter, wanted])
  return (
    <div className="grid gap-4">
      <Field label="Search recipients">
        {(control) => (
          <Input
            {...control}
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-muted text-sm">
          {inWords(shown.length)} shown
        </p>
        <div className="flex flex-wrap gap-2">
          {filter === 'bad' && shown.length > 0 && (
            <Button size="sm" onClick={() => removeRecipients(shown)}>
              Remove {shown.length === 1 ? 'it' : `all ${inWords(shown.length)}`}
            </Button>
          )}
          {(badCount > 0 || filter === 'bad') && (
            <Button
              size="sm"
              aria-pressed={filter === 'bad'}
              className="aria-pressed:border-ink"
              onClick={() => onFilter(filter === 'bad' ? 'all' : 'bad')}
            >
              <TriangleAlert aria-hidden="true" className="size-3.5 text-bounced-text" />
              Look wrong ({inWords(badCount)})
            </Button>
          )}
        </div>
      </div>
      {shown.length === 0 ? (
        <p className="grid h-88 max-h-[45dvh] place-content-center rounded-md border border-line border-dashed text-muted">
          {filter === 'bad' && badCount === 0 ? 'None looks wrong any more.' : 'Nobody matches.'}
        </p>
      ) : (
        <VirtualList
          label="Recipients"
          count={shown.length}
          keyOf={(index) => shown[index]?.key ?? ''}
          className="h-88 max-h-[45dvh] rounded-md border border-line"
        >
          {(index) => {
            const recipient = shown[index]
            return (
              recipient && (
                <PanelRow
                  recipient={recipient}
                  isLeftOut={isLeftOut(recipient)}
                  onRemove={() => removeRecipients([recipient])}
                />
              )
            )
          }}
        </VirtualList>
      )}
    </div>
  )
}

function PanelRow({
  recipient: { text, looksRight },
  isLeftOut,
  onRemove,
}: {
  recipient: Recipient
  isLeftOut: boolean
  onRemove: () => void
}) {
  return (
    <>
      {!looksRight && <TriangleAlert aria-hidden="true" className="ml-3 size-4 shrink-0 text-bounced-text" />}
      <span title={text} className={classes('min-w-0 grow truncate px-3', isLeftOut && leftOutLook)}>
        {text}
        {!looksRight && <span className="sr-only"> (does not look like an email address)</span>}
        {isLeftOut && <span className="sr-only"> (suppressed, will be left out)</span>}
      </span>
      <button
        type="button"
        aria-label={`Remove ${text}`}
        // One press is meant for this row, and would go on with the next.
        onClick={onFirstClick(onRemove)}
        onKeyDown={(event) => {
          ignoreHeldKey(event)
          if (!event.repeat && (event.key === 'Delete' || event.key === 'Backspace')) onRemove()
        }}
        className="grid size-11 shrink-0 place-items-center rounded-md text-muted -outline-offset-4 hover:bg-hover hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </>
  )
}

const getWords = (count: number, leftOut: number, bad: number): string => {
  const parts = [
    `${counted(count, 'person gets', 'people get')} this email`,
    leftOut > 0 && `${counted(leftOut, 'is', 'are')} left out`,
    bad > 0 && wrongWords(bad),
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

function matching(all: readonly Recipient[], filter: PanelFilter, wanted: string): readonly Recipient[] {
  if (filter === 'all' && wanted === '') return all
  return all.filter(
    ({ text, looksRight }) =>
      (filter === 'all' || !looksRight) && (wanted === '' || text.toLowerCase().includes(wanted)),
  )
}
