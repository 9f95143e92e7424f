const KEY = 'sending-email'

/*
  The draft whose send is under way in this tab, or had no answer. A page that is reloaded then finds the draft gone
  when the send has succeeded, and can say so instead of wondering; where it is still there, nobody knows yet.
*/

export function markSending(draftId: string): void {
  try {
    sessionStorage.setItem(KEY, draftId)
  } catch {
    // Then the page will merely say less.
  }
}

export function forgetSending(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // There was none.
  }
}

export function wasSending(draftId: string): boolean {
  try {
    return sessionStorage.getItem(KEY) === draftId
  } catch {
    return false
  }
}
