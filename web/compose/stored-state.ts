import { type Content, isSame, type Stored } from './letter.ts'

/** How many saves without an answer are recognised when one of them turns out to have arrived. */
const TRIED_MAX = 100

/** Which state of a draft on the server is known here, and what became of it from here. Later states have later times. */
export class StoredState {
  /** When what is written on was stored; null for nothing. */
  base: string | null
  /** What was to be stored since the last answer. */
  #tried: Content[] = []

  constructor(base: string | null) {
    this.base = base
  }

  tries(content: Content): void {
    // In an outage the same is tried again and again: it is one, or it would push out what did arrive.
    const others = this.#tried.filter((tried) => !isSame(tried, content))
    this.#tried = [...others, content].slice(-TRIED_MAX)
  }

  saved(updatedAt: string | null): void {
    this.base = updatedAt
    this.#tried = []
  }

  /** Something else is stored than was known. True when nobody else did that: the answer to a save was lost. */
  recognises(stored: Stored | null): boolean {
    const isOurs = stored === null || this.knows(stored)
    if (isOurs) this.saved(stored?.updatedAt ?? null)
    return isOurs
  }

  /** Whether it is what is written on here, or was to be stored from here. */
  knows(stored: Stored): boolean {
    return stored.updatedAt === this.base || this.#tried.some((content) => isSame(content, stored))
  }

  /** Whether nothing but this can have been stored from here. */
  isOnly(state: string | null): boolean {
    return this.base === state && this.#tried.length === 0
  }

  /** Whether whoever knew this state of the draft knew what is written on here. */
  isKnownTo(base: string | null): boolean {
    return this.base === null || (base !== null && this.base <= base)
  }

  isOlderThan({ updatedAt }: Stored): boolean {
    return this.base === null || this.base < updatedAt
  }
}
