import { messageOf } from '../api/client.ts'
import { toast } from '../ui/toast-store.ts'
import type { Verdict } from './settings-state.ts'

const NOT_TESTED = 'There was an error verifying your credentials'
const NOT_SAVED = 'There was an error saving your settings'

export function sayEmailRequired(): void {
  toast({
    title: 'Email Required',
    description: 'Please enter a reply-to email address to test credentials',
    variant: 'destructive',
  })
}

/** `isCurrent` is false when somebody typed on while the test ran: what was tested is not what is there now. */
export function sayVerdict(verdict: Verdict, { isCurrent }: { isCurrent: boolean }): void {
  const outdated = isCurrent ? undefined : 'You have changed the settings since. Test them again.'
  if (verdict.kind === 'verified')
    toast({
      title: 'Credentials Verified',
      description: isCurrent ? 'You can save your settings now.' : 'Your provider accepted what was tested.',
      detail: outdated ?? verdict.note,
    })
  if (verdict.kind === 'failed')
    toast({
      title: 'Verification Failed',
      description: verdict.error,
      detail: outdated,
      variant: 'destructive',
    })
}

/** What stays to be read beside the button: the server's words, else ours. */
export const wordsOf = (error: unknown): string => messageOf(error, NOT_TESTED)

export function sayNotTested(error: unknown): void {
  toast({
    title: 'Verification Error',
    description: NOT_TESTED,
    detail: messageOf(error, ''),
    variant: 'destructive',
  })
}

export function saySaved(): void {
  toast({ title: 'Settings Saved', description: 'They apply from the next email on.' })
}

export function sayNotSaved(error: unknown): void {
  toast({
    title: 'Failed to Save',
    description: NOT_SAVED,
    detail: messageOf(error, ''),
    variant: 'destructive',
  })
}
