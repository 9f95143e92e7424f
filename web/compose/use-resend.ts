import { useEffect, useState } from 'react'
import { fetchRecipients } from '../api/campaigns.ts'
import { messageOf } from '../api/client.ts'
import { toast } from '../ui/toast-store.ts'
import { forgetResend, waitingResend } from './resend-entry.ts'
import type { Composer } from './use-composer.ts'
import type { Sheet } from './use-sheet.ts'

/**
 * Takes over an email that is to be sent again. What comes with it are bare addresses, of a long list the first hundred:
 * where its campaign is known everybody is loaded as they were typed, and none is shown before.
 */
export function useResend({ opens }: Sheet, { fill, fillRecipients, list, isSending }: Composer) {
  const [resend] = useState(() => (opens === 'resend' ? waitingResend() : null))
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and once again for each new attempt
  useEffect(() => {
    if (!resend) return
    let isCurrent = true
    const { recipients, ...letter } = resend.content
    forgetResend()
    // Whoever tries again keeps what they have written meanwhile.
    if (attempt === 0) {
      fill(letter)
      list.clear()
    }
    setFailure(null)
    const all = resend.campaignId === null ? recipients : fetchRecipients(resend.campaignId)
    fillRecipients(all).then(
      () => {
        if (!isCurrent) return
        const count = list.view().all.length
        toast({ title: 'Ready to Resend', description: `Email loaded with ${count} recipient(s)` })
      },
      (error: unknown) => {
        if (isCurrent) setFailure(messageOf(error))
      },
    )
    return () => {
      isCurrent = false
    }
  }, [attempt])

  // Sent without them, they belong to no email that is written here any more.
  const isWanted = opens === 'resend'
  return {
    failure: isWanted ? failure : null,
    retry: () => {
      if (isWanted && !isSending.current) setAttempt((count) => count + 1)
    },
  }
}
