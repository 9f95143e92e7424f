import { type DragEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { RECIPIENTS_MAX } from '../../contract/campaigns.ts'
import { FileChooser } from '../addresses/file-chooser.tsx'
import { useIsPhone } from '../shell/use-is-phone.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Field } from '../ui/field.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { labelLink } from '../ui/text-link.ts'
import { inWords } from '../ui/words.ts'
import { FOLD, RecipientChips } from './recipient-chips.tsx'
import { RecipientsNote } from './recipients-note.tsx'
import { type PanelFilter, RecipientsPanel } from './recipients-panel.tsx'
import { useAddressFile } from './use-address-file.ts'
import type { Composer } from './use-composer.ts'
import { useRecipientInput } from './use-recipient-input.ts'

/** For whoever sends the keyboard here. */
export interface RecipientsHandle {
  focus(): void
  /** For the next email: nothing is told of the last one. */
  startOver(): void
  /** Leads to the first that looks wrong as soon as it can be mended. */
  showWrong(): void
  /** Something stands there that is no chip yet. */
  isTyping(): boolean
  /** Makes it one. */
  commit(): void
}

interface RecipientsFieldProps {
  composer: Composer
  isLocked: boolean
  handle: Ref<RecipientsHandle>
}

export function RecipientsField({ composer, isLocked, handle }: RecipientsFieldProps) {
  const { recipients, isLeftOut, removeRecipients } = composer
  const { text, type, commit, paste, onKeyDown } = useRecipientInput(composer)
  const file = useAddressFile(composer)
  const input = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [panel, setPanel] = useState<PanelFilter | null>(null)
  const [isWrongWanted, setIsWrongWanted] = useState(false)
  const isPhone = useIsPhone()

  const focusInput = () => input.current?.focus()
  const focusLastChip = () =>
    [...(box.current?.querySelectorAll<HTMLElement>('li button') ?? [])].at(-1)?.focus()
  useImperativeHandle(handle, () => ({
    focus: focusInput,
    startOver: () => {
      file.forget()
      focusInput()
    },
    showWrong: () => setIsWrongWanted(true),
    isTyping: () => text.trim() !== '',
    commit,
  }))
  useEffect(() => {
    if (!isWrongWanted || isLocked) return
    setIsWrongWanted(false)
    const marked = box.current?.querySelectorAll<HTMLElement>('[data-wrong]') ?? []
    // Of a long list some are folded away; the panel has them all.
    if (marked.length < recipients.badCount) setPanel('bad')
    else marked[0]?.focus()
  }, [isWrongWanted, isLocked, recipients.badCount])
  const drop = (event: DragEvent) => {
    setIsOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    // In any case: otherwise the browser shows the file in place of the page.
    event.preventDefault()
    if (!isLocked) void file.read(files)
  }

  return (
    <div className="grid grid-cols-1 gap-1.5">
      <Field
        label="Recipients"
        saysError
        error={
          recipients.leftOut > 0
            ? `One email goes to at most ${inWords(RECIPIENTS_MAX)} people, so ${inWords(recipients.leftOut)} ${recipients.leftOut === 1 ? 'was' : 'were'} left out. Send to the rest in another email.`
            : undefined
        }
        hint={
          <RecipientsNote
            recipients={recipients}
            reports={file.reports}
            isLocked={isLocked}
            onShowBad={() => setPanel('bad')}
          />
        }
        aside={
          <button
            type="button"
            className={labelLink}
            disabled={isLocked}
            onClick={() => chooser.current?.click()}
          >
            Add from a file
          </button>
        }
      >
        {(control) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the chips means the input
          <div
            ref={box}
            onMouseDown={(event) => {
              if (event.target !== event.currentTarget) return
              event.preventDefault()
              focusInput()
            }}
            onDragOver={(event) => {
              if (!event.dataTransfer.types.includes('Files')) return
              event.preventDefault()
              setIsOver(!isLocked)
            }}
            onDragLeave={() => setIsOver(false)}
            onDrop={drop}
            className={classes(
              'flex min-h-11 min-w-0 flex-wrap items-center gap-x-1.5 rounded-md border bg-card px-1.5 shadow-lift transition-colors md:pointer-fine:min-h-10 md:pointer-fine:py-0.5',
              'has-[input:focus-visible]:border-accent has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent',
              isOver ? 'border-accent bg-accent-soft' : 'border-control/60 hover:border-control',
            )}
          >
            <RecipientChips
              all={recipients.all}
              isLeftOut={isLeftOut}
              fold={isPhone ? FOLD.phone : FOLD.desktop}
              isLocked={isLocked}
              onRemove={(recipient) => removeRecipients([recipient])}
              focusInput={focusInput}
              more={(hidden) => (
                <Button
                  size="sm"
                  variant="ghost"
                  tabIndex={-1}
                  disabled={isLocked}
                  onClick={() => setPanel('all')}
                >
                  +{inWords(hidden)} more
                </Button>
              )}
            />
            {recipients.isReading && (
              <span className="flex items-center gap-2 px-1.5 text-muted text-sm">
                <Spinner className="size-4" />
                Reading the list…
              </span>
            )}
            <input
              {...control}
              ref={input}
              type="text"
              inputMode="email"
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              enterKeyHint="done"
              value={text}
              readOnly={isLocked}
              onChange={(event) => type(event.target.value)}
              onKeyDown={(event) => onKeyDown(event, focusLastChip)}
              onPaste={(event) => {
                file.forget()
                paste(event)
              }}
              onBlur={commit}
              className="h-11 min-w-40 grow bg-transparent px-1.5 text-field outline-none md:pointer-fine:h-8"
            />
          </div>
        )}
      </Field>
      <FileChooser chooser={chooser} onFiles={(files) => void file.read(files)} />
      <RecipientsPanel
        composer={composer}
        filter={panel}
        onFilter={setPanel}
        returnFocusTo={() => input.current}
      />
    </div>
  )
}
