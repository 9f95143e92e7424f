import type { Instance } from '../../contract/instance.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Letter } from './letter.ts'

/** Who the recipient sees, and where replies go: what the letter leaves open comes from the settings. */
export interface Sender {
  name: string
  address: string
  replyTo: string
  /** It leaves from the user's own address, not from the product's. */
  isOwn: boolean
}

export const hasSender = ({ fromName, fromEmail }: Settings): boolean => fromName !== '' && fromEmail !== ''

export function senderOf(
  { senderName, replyTo }: Pick<Letter, 'senderName' | 'replyTo'>,
  settings: Pick<Settings, 'fromName' | 'fromEmail' | 'provider' | 'sendFromOwnAddress'> | undefined,
  instance: Pick<Instance, 'mailFrom'> | undefined,
): Sender {
  const isOwn = settings?.sendFromOwnAddress === true && settings.provider !== 'resend'
  return {
    name: senderName.trim() || (settings?.fromName ?? ''),
    address: (isOwn ? settings.fromEmail : instance?.mailFrom) ?? '',
    replyTo: replyTo.trim() || (settings?.fromEmail ?? ''),
    isOwn,
  }
}

/** Where mail goes out, and where replies go. */
export function waysOf({ isOwn, address, replyTo }: Pick<Sender, 'isOwn' | 'address' | 'replyTo'>): string {
  if (!isOwn)
    return 'Mail goes out from our verified domain with your display name. Replies go to your email address.'
  return address === replyTo
    ? 'Mail goes out from your own address, and replies come back to it.'
    : 'Mail goes out from your own address. Replies go to the other one that you named.'
}
