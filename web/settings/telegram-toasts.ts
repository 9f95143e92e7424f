import { messageOf } from '../api/client.ts'
import { toast } from '../ui/toast-store.ts'
import { counted } from '../ui/words.ts'

/** `bot` is what it is called in a sentence. */
export function sayGenerated(bot: string, minutes: number): void {
  toast({ title: 'Code Generated', description: `Send it to ${bot} within ${counted(minutes, 'minute')}.` })
}

export function sayNotGenerated(error: unknown): void {
  toast({
    title: 'Failed to Generate Code',
    description: messageOf(error, 'There was an error generating your code'),
    variant: 'destructive',
  })
}

export function sayCopied(bot: string): void {
  toast({ title: 'Code Copied', description: `Send /link and then the code to ${bot}.` })
}

export function sayNotCancelled(error: unknown): void {
  toast({
    title: 'Failed to Cancel',
    description: 'The code can still be used until it expires.',
    detail: messageOf(error, ''),
    variant: 'destructive',
  })
}

export function sayUnlinked(name: string): void {
  toast({
    title: 'Telegram Unlinked',
    description: `${name} gets no more alerts and can no longer run your campaigns.`,
  })
}

export function sayNotUnlinked(error: unknown): void {
  toast({
    title: 'Failed to Unlink',
    description: messageOf(error, 'There was an error unlinking your Telegram account'),
    variant: 'destructive',
  })
}
