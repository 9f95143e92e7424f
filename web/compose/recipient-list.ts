import { RECIPIENTS_MAX } from '../../contract/campaigns.ts'
import { namedEntry } from '../../contract/refused-entries.ts'
import { type Recipient, readRecipient } from './recipient-address.ts'
import { inSlices } from './slices.ts'

/** What the screen shows of the list; a new object after every change. */
export interface RecipientsView {
  all: readonly Recipient[]
  badCount: number
  /** Entries that were there already and were ignored. */
  duplicates: number
  /** Entries that found no room any more. */
  leftOut: number
  /** A list is being read; nobody should send to half of it. */
  isReading: boolean
}

export interface Added {
  added: number
  duplicates: number
  leftOut: number
}

const EMPTY: RecipientsView = { all: [], badCount: 0, duplicates: 0, leftOut: 0, isReading: false }

/**
 * The recipients of one letter, outside of React: a hundred thousand of them are added in slices, and the screen hears
 * of it once.
 */
export class RecipientList {
  #view = EMPTY
  #keys = new Set<string>()
  #listeners = new Set<() => void>()
  /** Rises when the list is cleared: what was still being read then is not wanted any more. */
  #era = 0
  #readings = 0

  readonly view = (): RecipientsView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  texts(): string[] {
    return this.#view.all.map(({ text }) => text)
  }

  /** For a handful; a list of unknown length goes through `read`. */
  add(entries: Iterable<string>): Added {
    const { take, finish } = this.#intake()
    for (const entry of entries) take(entry)
    return finish()
  }

  /** Adds a list of any length without holding up the page, also one that is still on its way. */
  read(entries: Iterable<string> | Promise<Iterable<string>>): Promise<Added> {
    return this.whileReading(async () => {
      const era = this.#era
      const { take, finish } = this.#intake()
      const isWhole = await inSlices(await entries, take, () => this.#era !== era)
      return isWhole ? finish() : { added: 0, duplicates: 0, leftOut: 0 }
    })
  }

  /** Several lists are being read until the last of them is there. */
  async whileReading<T>(work: () => Promise<T>): Promise<T> {
    const era = this.#era
    this.#reading(1)
    try {
      return await work()
    } finally {
      if (this.#era === era) this.#reading(-1)
    }
  }

  remove(recipients: ReadonlySet<Recipient>): void {
    for (const { key } of recipients) this.#keys.delete(key)
    const all = this.#view.all.filter((other) => !recipients.has(other))
    this.#publish({ ...this.#view, all, badCount: badOf(all), leftOut: 0 })
  }

  /** The server has decided, whatever it looks like, and said of whom. Answers whether any of these is here. */
  refuse(words: string): boolean {
    let isFound = false
    const all = this.#view.all.map((recipient) => {
      if (!words.includes(namedEntry(recipient.text))) return recipient
      isFound = true
      return { ...recipient, looksRight: false }
    })
    if (isFound) this.#publish({ ...this.#view, all, badCount: badOf(all) })
    return isFound
  }

  clear(): void {
    this.#era += 1
    this.#readings = 0
    this.#keys = new Set()
    this.#publish(EMPTY)
  }

  #reading(step: 1 | -1): void {
    this.#readings += step
    const isReading = this.#readings > 0
    if (isReading !== this.#view.isReading) this.#publish({ ...this.#view, isReading })
  }

  /** Collects aside, so that the screen never shows a list that is still growing. */
  #intake() {
    const found: Recipient[] = []
    const result: Added = { added: 0, duplicates: 0, leftOut: 0 }
    // Of this era: a list that is cleared meanwhile has others.
    const keys = this.#keys
    const take = (entry: string): void => {
      const text = entry.trim()
      if (text === '') return
      const recipient = readRecipient(text)
      if (keys.has(recipient.key)) result.duplicates += 1
      else if (keys.size >= RECIPIENTS_MAX) result.leftOut += 1
      else {
        keys.add(recipient.key)
        found.push(recipient)
      }
    }
    const finish = (): Added => {
      const { badCount, duplicates } = this.#view
      const { leftOut } = result
      result.added = found.length
      if (found.length + result.duplicates + leftOut > 0)
        this.#publish({
          ...this.#view,
          all: [...this.#view.all, ...found],
          badCount: badCount + badOf(found),
          duplicates: duplicates + result.duplicates,
          leftOut,
        })
      return result
    }
    return { take, finish }
  }

  #publish(view: RecipientsView): void {
    this.#view = view
    for (const listener of this.#listeners) listener()
  }
}

const badOf = (recipients: readonly Recipient[]): number =>
  recipients.reduce((count, { looksRight }) => count + (looksRight ? 0 : 1), 0)
