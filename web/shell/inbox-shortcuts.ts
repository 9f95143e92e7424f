/** What the keys of the inbox do, for the list of all shortcuts. */
export const inboxShortcuts: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['J'], does: 'Next message' },
  { keys: ['K'], does: 'Previous message' },
  { keys: ['Enter'], does: 'Open it' },
  { keys: ['Esc'], does: 'Back to the list' },
  { keys: ['R'], does: 'Reply' },
  { keys: ['E'], does: 'Archive, or move back' },
  { keys: ['U'], does: 'Mark as unread' },
  { keys: ['#'], does: 'Delete' },
]
