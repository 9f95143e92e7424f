import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { TEMPLATE_NAME_MAX } from '../../contract/templates.ts'
import { messageOf } from '../api/client.ts'
import { readAgain } from '../api/read-again.ts'
import { createTemplate, templatesKey } from '../api/templates.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogClose } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { toast } from '../ui/toast-store.ts'
import type { Letter } from './letter.ts'

/** The button, and the dialog that asks for a name. */
export function SaveAsTemplate({ letter, isLocked }: { letter: Letter; isLocked: boolean }) {
  const formId = useId()
  const client = useQueryClient()
  const field = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')

  const saving = useMutation({
    mutationFn: () => createTemplate({ name, subject: letter.subject, body: letter.body }),
    onSuccess: () => {
      setIsOpen(false)
      setName('')
      toast({ title: 'Template Saved', description: 'Email template has been saved successfully.' })
      readAgain(client, { queryKey: templatesKey })
    },
    onError: (error) => {
      toast({
        title: 'Failed to Save',
        description: 'There was an error saving your template',
        detail: messageOf(error, ''),
        variant: 'destructive',
      })
    },
  })

  const open = () => {
    if (letter.subject.trim() !== '' && letter.body.trim() !== '') return setIsOpen(true)
    toast({
      title: 'Cannot Save Template',
      description: 'Please add a subject and body first',
      variant: 'destructive',
    })
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A portal's events rise to the form around the button, which would send the email.
    event.stopPropagation()
    if (saving.isPending) return
    if (name.trim() !== '') return saving.mutate()
    field.current?.focus()
    toast({
      title: 'Template Name Required',
      description: 'Please enter a name for your template',
      variant: 'destructive',
    })
  }

  return (
    <>
      <Button size="sm" variant="ghost" disabled={isLocked} onClick={open}>
        Save as Template
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Save as Template"
        description="Subject and message are kept under this name."
        footer={
          <>
            <DialogClose asChild>
              <Button variant="ghost">Cancel</Button>
            </DialogClose>
            <Button
              type="submit"
              form={formId}
              variant="primary"
              pending={saving.isPending}
              pendingText="Saving..."
            >
              Save Template
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={submit}>
          <Field label="Template Name">
            {(control) => (
              <Input
                {...control}
                ref={field}
                maxLength={TEMPLATE_NAME_MAX}
                value={name}
                readOnly={saving.isPending}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        </form>
      </Dialog>
    </>
  )
}
