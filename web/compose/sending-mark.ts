const KEY = 'sending-email'

/*
  The draft whose send is under way in this tab, or had no answer. Where a reload finds it still there, nobody knows
  whether it was sent. Where it is gone, it may as well have been deleted elsewhere: History alone can tell.
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
