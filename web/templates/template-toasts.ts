import { messageOf } from '../api/client.ts'
import { toast } from '../ui/toast-store.ts'
import { NAME_REQUIRED } from './template-form.ts'

export function sayNameRequired(): void {
  toast({ ...NAME_REQUIRED, variant: 'destructive' })
}

export function saySaved(): void {
  toast({ title: 'Template Saved', description: 'Email template has been saved successfully.' })
}

export function sayNotSaved(error: unknown): void {
  toast({
    title: 'Failed to Save',
    description: 'There was an error saving your template',
    detail: messageOf(error, ''),
    variant: 'destructive',
  })
}

export function sayLoaded(name: string): void {
  toast({ title: 'Template Loaded', description: `${name} has been loaded into the composer.` })
}

export function sayDeleted({ undo, onGone }: { undo: () => void; onGone: () => void }): void {
  toast({
    title: 'Template Deleted',
    description: 'Template has been removed successfully.',
    action: { label: 'Undo', onSelect: undo },
    onGone,
  })
}

export function sayNotDeleted(error: unknown): void {
  toast({
    title: 'Failed to Delete',
    description: 'There was an error deleting the template',
    detail: messageOf(error, ''),
    variant: 'destructive',
  })
}

export function sayTooLate(): void {
  toast({ title: 'Too Late to Undo', description: 'The template is already gone.', variant: 'destructive' })
}
