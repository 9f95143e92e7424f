import { TriangleAlert, X } from 'lucide-react'
import { Fragment, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { classes } from '../ui/classes.ts'
import { ignoreHeldKey, onFirstClick } from '../ui/press.ts'
import type { Recipient } from './recipient-address.ts'

/** Up to so many are all shown; of more, some before the fold, and after it the newest. */
export const FOLD = {
  desktop: { upTo: 24, first: 8, last: 4 },
  phone: { upTo: 10, first: 3, last: 2 },
}

/** Quiet, for it is no mistake. */
export const leftOutLook = 'text-muted line-through decoration-control'

interface RecipientChipsProps {
  all: readonly Recipient[]
  /** On the suppression list: nothing is wrong with it, it just gets no mail. */
  isLeftOut: (recipient: Recipient) => boolean
  fold: { upTo: number; first: number; last: number }
  isLocked: boolean
  onRemove: (recipient: Recipient) => void
  /** The button that stands for the folded ones. */
  more: (hidden: number) => ReactNode
  /** Where the keyboard goes beyond the last chip. */
  focusInput: () => void
}

/** The chips are one stop of the Tab key; the arrow keys move among them, Delete and Backspace remove. */
export function RecipientChips(props: RecipientChipsProps) {
  const { all, isLeftOut, fold, isLocked, onRemove, more, focusInput } = props
  const list = useRef<HTMLUListElement>(null)
  const hidden = all.length > fold.upTo ? all.length - fold.first - fold.last : 0
  const shown = hidden > 0 ? [...all.slice(0, fold.first), ...all.slice(-fold.last)] : all

  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
  const focusAt = (index: number) => {
    const button = buttons()[index]
    if (button) button.focus()
    else focusInput()
  }
  const removeAt = (recipient: Recipient, index: number, next: number) => {
    onRemove(recipient)
    // The chip that takes its place, once it is drawn; unless the person has gone elsewhere meanwhile.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusAt(Math.min(next, buttons().length - 1 || index))
    })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    ignoreHeldKey(event)
    const index = buttons().indexOf(event.target as HTMLElement)
    const recipient = shown.find(({ key }) => key === (event.target as HTMLElement).dataset['key'])
    const moves: Record<string, number> = {
      ArrowLeft: Math.max(0, index - 1),
      ArrowUp: Math.max(0, index - 1),
      ArrowRight: index + 1,
      ArrowDown: index + 1,
      Home: 0,
      End: buttons().length,
      Escape: buttons().length,
    }
    const to = moves[event.key]
    // A key that is held removes one.
    const canRemove = recipient && !isLocked && !event.repeat
    if (to !== undefined) focusAt(to)
    else if (canRemove && event.key === 'Backspace') removeAt(recipient, index, Math.max(0, index - 1))
    else if (canRemove && event.key === 'Delete') removeAt(recipient, index, index)
    else return
    event.preventDefault()
  }

  return (
    <ul ref={list} aria-label="Added recipients" className="contents" onKeyDown={onKeyDown}>
      {shown.map((recipient, index) => (
        <Fragment key={recipient.key}>
          {hidden > 0 && index === fold.first && <li className="flex">{more(hidden)}</li>}
          <Chip
            recipient={recipient}
            isLeftOut={isLeftOut(recipient)}
            isStop={index === shown.length - 1}
            isLocked={isLocked}
            onRemove={() => removeAt(recipient, index, index)}
          />
        </Fragment>
      ))}
    </ul>
  )
}

interface ChipProps {
  recipient: Recipient
  isLeftOut: boolean
  isStop: boolean
  isLocked: boolean
  onRemove: () => void
}

/** Drawn 28 px high; on a phone its row and its button take a finger. */
function Chip({ recipient, isLeftOut, isStop, isLocked, onRemove }: ChipProps) {
  const { text, key, looksRight } = recipient
  return (
    <li className="tap-8 relative isolate flex max-w-full items-center">
      <span
        aria-hidden="true"
        className={classes(
          '-z-10 absolute inset-x-0 inset-y-1.5 rounded-full border md:pointer-fine:inset-y-0.5',
          looksRight ? 'border-line bg-sunken' : 'border-bounced/60 border-dashed bg-bounced-soft',
        )}
      />
      {!looksRight && (
        <TriangleAlert aria-hidden="true" className="ml-2.5 size-3.5 shrink-0 text-bounced-text" />
      )}
      <span
        title={text}
        className={classes(
          'min-w-0 truncate text-sm',
          looksRight ? 'pl-3' : 'pl-1.5 text-bounced-text',
          isLeftOut && leftOutLook,
        )}
      >
        {text}
        {!looksRight && <span className="sr-only"> (does not look like an email address)</span>}
        {isLeftOut && <span className="sr-only"> (suppressed, will be left out)</span>}
      </span>
      <button
        type="button"
        data-key={key}
        data-wrong={looksRight ? undefined : ''}
        tabIndex={isStop ? 0 : -1}
        disabled={isLocked}
        aria-label={`Remove ${text}`}
        // The second click of two is meant for this one, and would meet the next.
        onClick={onFirstClick(onRemove)}
        className="grid tap-square-8 shrink-0 place-items-center rounded-full text-muted -outline-offset-4 hover:text-ink"
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </li>
  )
}
