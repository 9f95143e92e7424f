/** The longest list that is asked about in one request: larger ones would keep the first answer waiting. */
export const PIECE = 10_000

type Ask = (entries: string[], signal: AbortSignal) => Promise<string[]>

/**
 * Who of the recipients is on the suppression list, as far as the server has been asked. It only tells: a send never waits
 * for it, and what could not be asked is asked again with the next change.
 */
export class SuppressionCheck {
  #ask: Ask
  #asked = new Set<string>()
  #suppressed: ReadonlySet<string> = new Set()
  #listeners = new Set<() => void>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  readonly suppressed = (): ReadonlySet<string> => this.#suppressed

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Asks about those that were not asked about yet, piece by piece. */
  async look(entries: Iterable<string>, signal: AbortSignal): Promise<void> {
    const fresh: string[] = []
    for (const entry of entries) if (!this.#asked.has(entry)) fresh.push(entry)
    // At once, so that the next change does not ask about the same again.
    for (const entry of fresh) this.#asked.add(entry)
    for (let start = 0; start < fresh.length; start += PIECE) {
      const piece = fresh.slice(start, start + PIECE)
      try {
        this.#note(piece, await this.#ask(piece, signal))
      } catch {
        for (const entry of fresh.slice(start)) this.#asked.delete(entry)
        return
      }
    }
  }

  /** What is known stays in sight until it is asked anew. */
  forget(): void {
    this.#asked.clear()
  }

  #note(piece: readonly string[], found: readonly string[]): void {
    const next = new Set(this.#suppressed)
    for (const entry of piece) next.delete(entry)
    for (const entry of found) next.add(entry)
    if (next.size === this.#suppressed.size && found.every((entry) => this.#suppressed.has(entry))) return
    this.#suppressed = next
    for (const listener of this.#listeners) listener()
  }
}
