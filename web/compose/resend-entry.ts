import { z } from 'zod'
import type { Content } from './letter.ts'

const KEY = 'resend-email'

/** What History leaves in session storage. Anything but the recipients may be missing. */
const Entry = z.object({
  recipients: z.array(z.string()).default([]),
  subject: z.string().nullish(),
  body: z.string().nullish(),
  senderName: z.string().nullish(),
  replyTo: z.string().nullish(),
  /** What travelled here are addresses, of a long list the first; all of them, with their names, are the campaign's. */
  campaignId: z.string().nullish(),
})

interface Resend {
  content: Content
  campaignId: string | null
}

/** An email to be sent again, if one is waiting. It only looks: `forgetResend` takes it away. */
export function waitingResend(): Resend | null {
  const text = read()
  if (text === null) return null
  try {
    const { recipients, subject, body, senderName, replyTo, campaignId } = Entry.parse(JSON.parse(text))
    if (recipients.length === 0) return null
    return {
      content: {
        recipients,
        subject: subject ?? '',
        body: body ?? '',
        senderName: senderName ?? '',
        replyTo: replyTo ?? '',
      },
      campaignId: campaignId ?? null,
    }
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: nobody can do anything about it, but whoever looks should find it
    console.warn('The email to resend cannot be read', error)
    return null
  }
}

export const forgetResend = (): void => sessionStorage.removeItem(KEY)

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    // A browser that keeps nothing for this page holds no email either.
    return null
  }
}
