import { isAnotherEmail, type SendDoubt } from '../api/send-doubt.ts'

const KEY = 'send-doubts'
/** More than the drafts that an account can have; older ones are of drafts that are gone. */
const MOST = 200

/*
  What is not known of sends, or was learned too late, by draft.

  A send is unanswered from the moment that it leaves: where a reload or another look at its draft finds that, nobody
  knows whether it was sent. Where the draft is gone, it may as well have been deleted elsewhere: History alone can tell.
  That is of this tab: in any other one too the id of the draft keeps it from being sent twice.

  A draft that goes on beside what was sent has an id of its own, and nothing but this note says what it is: whoever
  opens it in another tab, or after the browser was closed, has to be asked as well.
*/

type Doubts = Record<string, SendDoubt>

export const doubtOf = (draftId: string): SendDoubt | null =>
  read(() => sessionStorage)[draftId] ?? read(() => localStorage)[draftId] ?? null

export function noteDoubt(draftId: string, doubt: SendDoubt | null): void {
  const isForAllTabs = isAnotherEmail(doubt)
  write(() => sessionStorage, draftId, isForAllTabs ? null : doubt)
  write(() => localStorage, draftId, isForAllTabs ? doubt : null)
}

/** How often a send of each draft was begun in this tab, by whichever of its forms. */
const tries = new Map<string, number>()

/** A send leaves. Answers whether it is still the latest of its draft: the answer to an earlier one says nothing of it. */
export function noteTry(draftId: string): () => boolean {
  const number = (tries.get(draftId) ?? 0) + 1
  tries.set(draftId, number)
  noteDoubt(draftId, 'unanswered')
  return () => tries.get(draftId) === number
}

function write(storage: () => Storage, draftId: string, doubt: SendDoubt | null): void {
  const { [draftId]: _, ...others } = read(storage)
  const all = doubt === null ? others : { ...others, [draftId]: doubt }
  try {
    storage().setItem(KEY, JSON.stringify(Object.fromEntries(Object.entries(all).slice(-MOST))))
  } catch {
    // Then the page will merely say less.
  }
}

function read(storage: () => Storage): Doubts {
  try {
    // Written by `write` alone.
    return JSON.parse(storage().getItem(KEY) ?? '{}') as Doubts
  } catch {
    return {}
  }
}
