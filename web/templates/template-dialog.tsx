import { type FormEvent, useId, useRef, useState } from 'react'
import { SUBJECT_MAX } from '../../contract/campaigns.ts'
import { TEMPLATE_NAME_MAX } from '../../contract/templates.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { DiscardQuestion } from '../ui/discard-question.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.ts'
import { inWords } from '../ui/words.ts'
import { errorsOf, isSame, type TemplateErrors, type TemplateForm } from './template-form.ts'
import { sayNameRequired } from './template-toasts.ts'
import { useSaveTemplate } from './use-save-template.ts'
import type { TemplateDialogState } from './use-template-dialog.ts'

const NOT_SAVED = Promise.resolve(false)
const FIELDS = ['name', 'subject', 'body'] as const
/** Writes a new template or another text of a known one. What has been typed is not thrown away without a question. */
export function TemplateDialog({
  open,
  template,
  initial,
  onClose,
}: TemplateDialogState & { onClose: () => void }) {
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<TemplateErrors>({})
  const [isLeaving, setIsLeaving] = useState(false)
  const saving = useSaveTemplate(template, onClose)
  /** Whether what is under way comes to be stored. */
  const answer = useRef(NOT_SAVED)
  const isChanged = !isSame(form, initial)
  const guard = useLeaveGuard({
    isSafe: () => !open || !isChanged,
    save: () => answer.current,
  })
  const keep = () => {
    setIsLeaving(false)
    guard.stay()
  }

  const change = (part: Partial<TemplateForm>) => {
    setForm((last) => ({ ...last, ...part }))
    setErrors((last) => ({
      ...last,
      ...Object.fromEntries(Object.keys(part).map((key) => [key, undefined])),
    }))
  }
  const close = () => {
    // What is on its way cannot be discarded any more: the answer closes, or says why it stays open.
    if (saving.isPending) return
    if (isChanged) setIsLeaving(true)
    else onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (saving.isPending) return
    const found = errorsOf(form)
    setErrors(found)
    if (found.name) sayNameRequired()
    const first = FIELDS.find((field) => found[field])
    if (first) {
      element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    answer.current = saving.mutateAsync(form).then(
      () => true,
      () => false,
    )
  }

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={template ? 'Edit Template' : 'Create Template'}
      footer={
        // Stored, it fades, and has nothing to ask any more.
        open && (isLeaving || guard.isAsking) && !saving.isPending ? (
          <DiscardQuestion
            question="Discard what you have written?"
            keepLabel="Keep writing"
            discardLabel="Discard"
            onKeep={keep}
            onDiscard={guard.isAsking ? guard.leave : onClose}
          />
        ) : (
          <>
            <DialogClose asChild>
              <Button variant="ghost">Cancel</Button>
            </DialogClose>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              pending={saving.isPending}
              pendingText="Saving..."
            >
              Save Template
            </Button>
          </>
        )
      }
    >
      <form id={formId} ref={element} noValidate className="grid gap-5" onSubmit={submit}>
        <Field label="Template Name" error={errors.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              autoComplete="off"
              maxLength={TEMPLATE_NAME_MAX}
              value={form.name}
              readOnly={saving.isPending}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Subject" error={errors.subject}>
          {(control) => (
            <Input
              {...control}
              name="subject"
              dir="auto"
              autoComplete="off"
              maxLength={SUBJECT_MAX}
              value={form.subject}
              readOnly={saving.isPending}
              onChange={(event) => change({ subject: event.target.value })}
            />
          )}
        </Field>
        <Field label="Message" error={errors.body} hint={`${inWords(form.body.length)} characters`}>
          {(control) => (
            <Textarea
              {...control}
              name="body"
              dir="auto"
              rows={9}
              value={form.body}
              readOnly={saving.isPending}
              onChange={(event) => change({ body: event.target.value })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
