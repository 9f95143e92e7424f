import { FileText, X } from 'lucide-react'
import { type DragEvent, type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { FileChooser } from '../addresses/file-chooser.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { DiscardQuestion } from '../ui/discard-question.tsx'
import { Field } from '../ui/field.tsx'
import { LeaveDialog } from '../ui/leave-dialog.tsx'
import { labelLink } from '../ui/text-link.ts'
import { Textarea } from '../ui/textarea.tsx'
import { fileWords } from './add-entries.ts'
import { useAddForm } from './use-add-form.ts'

interface AddDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function AddDialog({ open, onOpenChange }: AddDialogProps) {
  const formId = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const form = useAddForm(() => onOpenChange(false))
  const { guard } = form

  const submit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.submit()
  }
  const drop = (event: DragEvent) => {
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    void form.read(files)
  }

  return (
    <>
      <Dialog
        open={open}
        onOpenChange={(next) => {
          // To close it under the question is no answer but the harmless one.
          if (guard.isAsking) guard.stay()
          else if (!form.isPending) onOpenChange(next)
        }}
        title="Add Addresses"
        description="Your emails will leave them out from now on, also those that are still being sent."
        footer={
          guard.isAsking ? (
            <DiscardQuestion {...questionOf(form.isPending)} onKeep={guard.stay} onDiscard={guard.leave} />
          ) : (
            <>
              <DialogClose asChild>
                <Button>Cancel</Button>
              </DialogClose>
              <Button
                variant="primary"
                type="submit"
                form={formId}
                pending={form.isPending || form.isReading}
                pendingText={form.isReading ? 'Reading...' : 'Adding...'}
              >
                Add Addresses
              </Button>
            </>
          )
        }
      >
        <form
          id={formId}
          noValidate
          className="grid gap-3"
          onSubmit={submit}
          onKeyDown={onKeyDown}
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes('Files')) event.preventDefault()
          }}
          onDrop={drop}
        >
          <Field
            label="Addresses"
            error={form.error ?? undefined}
            saysError
            hint="Separated by commas, semicolons or new lines. Or drop a CSV or text file here."
            aside={
              <button
                type="button"
                className={labelLink}
                disabled={form.isPending}
                onClick={() => chooser.current?.click()}
              >
                Add from a file
              </button>
            }
          >
            {(control) => (
              <Textarea
                {...control}
                rows={6}
                autoComplete="off"
                autoCapitalize="none"
                autoCorrect="off"
                spellCheck={false}
                inputMode="email"
                className="max-h-80 min-h-24"
                value={form.text}
                readOnly={form.isPending}
                onChange={(event) => form.type(event.target.value)}
              />
            )}
          </Field>
          {form.files.length > 0 && (
            <ul aria-label="Files" className="grid gap-2">
              {form.files.map((file) => (
                <li
                  key={file.name}
                  className="flex items-center gap-2 rounded-md border border-line bg-sunken pl-3"
                >
                  <FileText aria-hidden="true" className="size-4 shrink-0 text-muted" />
                  <span className="wrap-anywhere min-w-0 grow py-2 text-sm">{fileWords(file)}</span>
                  <Button
                    size="icon"
                    variant="ghost"
                    aria-label={`Leave out ${file.name}`}
                    disabled={form.isPending}
                    onClick={() => form.drop(file)}
                  >
                    <X aria-hidden="true" className="size-4" />
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <FileChooser chooser={chooser} onFiles={(files) => void form.read(files)} />
        </form>
      </Dialog>
      <LeaveDialog
        // Where the form is open, the question stands in it.
        guard={{ ...guard, isAsking: guard.isAsking && !open }}
        title="Leave these addresses?"
        leaveLabel="Leave Without Adding"
        keepLabel="Stay Here"
      >
        What you entered under Add Addresses is not on the list yet. If you leave now, it is lost.
      </LeaveDialog>
    </>
  )
}

const questionOf = (isPending: boolean) =>
  isPending
    ? {
        question: 'They are still being added. If you leave now and that fails, they are lost.',
        keepLabel: 'Stay here',
        discardLabel: 'Leave',
      }
    : { question: 'Discard what you have entered?', keepLabel: 'Keep editing', discardLabel: 'Discard' }
