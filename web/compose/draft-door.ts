import type { Content, Stored } from './letter.ts'

/** The server, and who is to know of what happens there. */
export interface Door {
  /** Replaces nothing but the state it is based on, null for none; answers when the server stored it. */
  save(id: string, content: Content, basedOn: string | null): Promise<{ updatedAt: string }>
  isChangedElsewhere(error: unknown): boolean
  /** Null when there is none. */
  read(id: string): Promise<Stored | null>
  /** Another one is stored under the id: what is here has to `fork`. */
  giveWay(): void
  /** Where it says which state is known, not another one. */
  remove(id: string, basedOn?: string): Promise<void>
  /** What to tell people of a failure. */
  wordsOf(error: unknown): string
  onSaved(id: string): void
  onRemoved(id: string): void
}

/** What is kept. */
export interface Sheet {
  draftId: string
  read(): Content
  /** False while a list is still being read: half of it must not replace the whole. */
  isReady(): boolean
  /** When the server stored it in exactly this form; null for what begins here. */
  base: string | null
}
