import type { SendDoubt } from '../api/send-doubt.ts'

const KEY = 'send-doubts'

/*
  What is not known of the sends of this tab, or was learned too late, by draft. A send is unanswered from the moment
  that it leaves: where a reload or another look at its draft finds that, nobody knows whether it was sent. Where the
  draft is gone, it may as well have been deleted elsewhere: History alone can tell.
*/

export const doubtOf = (draftId: string): SendDoubt | null => doubts()[draftId] ?? null

export function noteDoubt(draftId: string, doubt: SendDoubt | null): void {
  const { [draftId]: _, ...others } = doubts()
  try {
    sessionStorage.setItem(KEY, JSON.stringify(doubt === null ? others : { ...others, [draftId]: doubt }))
  } catch {
    // Then the page will merely say less.
  }
}

function doubts(): Record<string, SendDoubt> {
  try {
    // Written by `noteDoubt` alone.
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, SendDoubt>
  } catch {
    return {}
  }
}
