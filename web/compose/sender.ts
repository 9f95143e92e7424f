import type { Instance } from '../../contract/instance.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Letter } from './letter.ts'

/** Who the recipient sees, and where replies go: what the letter leaves open comes from the settings. */
export interface Sender {
  name: string
  address: string
  replyTo: string
}

export const hasSender = ({ fromName, fromEmail }: Settings): boolean => fromName !== '' && fromEmail !== ''

export function senderOf(
  { senderName, replyTo }: Pick<Letter, 'senderName' | 'replyTo'>,
  settings: Settings | undefined,
  instance: Instance | undefined,
): Sender {
  const isOwn = settings?.sendFromOwnAddress && settings.provider !== 'resend'
  return {
    name: senderName.trim() || (settings?.fromName ?? ''),
    address: (isOwn ? settings.fromEmail : instance?.mailFrom) ?? '',
    replyTo: replyTo.trim() || (settings?.fromEmail ?? ''),
  }
}
