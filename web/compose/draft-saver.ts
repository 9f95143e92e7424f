import type { Door, Sheet } from './draft-door.ts'
import { type Content, isBlank, type Stored } from './letter.ts'
import type { SaveState } from './save-state.ts'
import { StoredState } from './stored-state.ts'

/** After the last key; and at the latest, for whoever never pauses. */
const QUIET_MS = 1_000
const AT_LATEST_MS = 5_000
const RETRIES_MS = [2_000, 5_000, 15_000, 30_000]
/** A send does not wait longer for a save that hangs. */
const SETTLE_MS = 1_500

/**
 * Keeps one sheet on the server. One save is under way at a time and the next one carries whatever is newest, so
 * answers cannot overtake each other. A failure is tried again by itself, soon at first and then every half minute.
 */
export class DraftSaver {
  readonly #door: Door
  #sheet: Sheet
  #stored: StoredState
  #state: SaveState = { kind: 'idle' }
  #listeners = new Set<() => void>()
  /** Counts changes; what `#savedChange` has caught up with is on the server. */
  #change = 0
  #savedChange = 0
  #underWay: Promise<void> | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  #waitingSince: number | null = null
  #failures = 0
  #isHeld = false
  #isOpen = true

  constructor(door: Door, sheet: Sheet) {
    this.#door = door
    this.#sheet = sheet
    this.#stored = new StoredState(sheet.base)
  }

  readonly state = (): SaveState => this.#state
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get draftId(): string {
    return this.#sheet.draftId
  }

  /** When the server stored what is written on here; null for nothing. */
  get base(): string | null {
    return this.#stored.base
  }

  /** Everything that was typed is on the server, or there is nothing. */
  isSafe(): boolean {
    return this.#change === this.#savedChange
  }

  /** Something was typed, or it is a draft already: unlike a template or a resend that is only looked at. */
  isBegun(): boolean {
    return this.base !== null || this.#change > 0
  }

  /** Something was typed. */
  touch(): void {
    this.#change += 1
    if (this.#isHeld) return
    const now = Date.now()
    this.#waitingSince ??= now
    this.#wait(Math.min(QUIET_MS, Math.max(0, this.#waitingSince + AT_LATEST_MS - now)))
    // That it is not saved stays to be read until it is.
    if (this.#state.kind !== 'failed') this.#show({ kind: 'saving' })
  }

  /** Saves now whatever is unsaved; answers whether all is safe then. */
  async flush(): Promise<boolean> {
    this.#stopWaiting()
    while (this.#underWay) await this.#underWay
    if (!this.isSafe() && !this.#isHeld) await this.#save()
    return this.isSafe()
  }

  /**
   * Somebody asks for it: also what was only opened, such as a template, becomes a draft; and what was stored is stored
   * again, for it may have been changed or deleted elsewhere since.
   */
  async keep(): Promise<void> {
    this.#change += 1
    if (!(await this.flush())) return
    this.#show(this.base === null ? { kind: 'nothing to save' } : { kind: 'saved', at: Date.now() })
  }

  /**
   * Before a send: saves, also what was only opened, as a reload in the middle of it must find the letter, and then keeps
   * still.
   */
  async hold(): Promise<void> {
    if (this.base === null) this.#change += 1
    const flushed = this.flush()
    await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, SETTLE_MS))])
    this.#isHeld = true
    this.#stopWaiting()
  }

  /** The send failed: the letter is still being written. */
  release(): void {
    this.#isHeld = false
    if (this.isSafe()) return
    // When the screen was left meanwhile, its last save could not go out.
    if (this.#isOpen) this.touch()
    else void this.flush()
  }

  /** The letter was sent, and this state of its draft went with it. A later save of it must not bring it back. */
  startOver(sheet: Sheet, discarded: string | null): void {
    if (!this.#stored.isOnly(discarded)) void this.#removal()().catch(() => {})
    this.#stopWaiting()
    this.#sheet = sheet
    this.#stored = new StoredState(sheet.base)
    this.#change = 0
    this.#savedChange = 0
    this.#failures = 0
    this.#isHeld = false
    this.#underWay = null
    this.#show({ kind: 'idle' })
  }

  /** Whether whoever knew this state of the draft knew all that is here. */
  isKnownTo(base: string | null): boolean {
    return this.isSafe() && this.#stored.isKnownTo(base)
  }

  /** Whether it is worth following: nothing here is lost by it, and it is not older. */
  isBehind(stored: Stored): boolean {
    return this.isSafe() && this.#stored.isOlderThan(stored)
  }

  /** What was saved elsewhere is here now. */
  followed({ updatedAt }: Stored): void {
    this.#stored.base = updatedAt
  }

  /** What is here goes on under another id. Answers how to delete what it was under the old one. */
  fork(draftId: string): () => Promise<void> {
    const removal = this.#removal()
    this.#sheet = { ...this.#sheet, draftId, base: null }
    this.#stored = new StoredState(null)
    this.touch()
    return removal
  }

  open(): void {
    this.#isOpen = true
  }

  /** The screen is left for another one: the last save goes out, and is not tried again. */
  close(): void {
    this.#isOpen = false
    void this.flush()
  }

  /** How to delete, later, the draft that is here now, also if a save that is under way brings it back. */
  #removal(): () => Promise<void> {
    const [{ draftId }, stored, underWay] = [this.#sheet, this.#stored, this.#underWay]
    return async () => {
      await underWay
      const found = await this.#door.read(draftId)
      if (found && stored.knows(found)) await this.#door.remove(draftId, found.updatedAt)
    }
  }

  async #save(): Promise<void> {
    const work = this.#attempt()
    this.#underWay = work
    await work
    if (this.#underWay === work) this.#underWay = null
  }

  async #attempt(): Promise<void> {
    const sheet = this.#sheet
    if (!sheet.isReady()) return this.#wait(QUIET_MS)
    const change = this.#change
    const content = sheet.read()
    if (isBlank(content) && this.base === null) {
      this.#savedChange = change
      return this.#show({ kind: 'idle' })
    }
    try {
      const updatedAt = await this.#store(sheet.draftId, content)
      if (sheet === this.#sheet) this.#noteSaved(change, updatedAt)
    } catch (error) {
      if (this.#door.isChangedElsewhere(error) && (await this.#makeWay(sheet))) return this.#attempt()
      if (sheet === this.#sheet) this.#noteFailure(error)
    }
  }

  /** Null where nothing is left to be stored. */
  async #store(draftId: string, content: Content): Promise<string | null> {
    if (isBlank(content)) {
      await this.#door.remove(draftId, this.base ?? undefined)
      return null
    }
    this.#stored.tries(content)
    return (await this.#door.save(draftId, content, this.base)).updatedAt
  }

  #noteSaved(change: number, updatedAt: string | null): void {
    this.#stored.saved(updatedAt)
    this.#savedChange = change
    this.#failures = 0
    this.#waitingSince = null
    if (!this.isSafe()) this.#wait(QUIET_MS)
    else this.#show(updatedAt === null ? { kind: 'idle' } : { kind: 'saved', at: Date.now() })
    if (updatedAt === null) this.#door.onRemoved(this.draftId)
    else this.#door.onSaved(this.draftId)
  }

  #noteFailure(error: unknown): void {
    this.#show({ kind: 'failed', reason: this.#door.wordsOf(error) })
    this.#waitingSince = null
    if (!this.#isHeld) this.#wait(RETRIES_MS[Math.min(this.#failures++, RETRIES_MS.length - 1)] ?? QUIET_MS)
  }

  /** Another state is stored than was known. Answers whether it is out of the way. */
  async #makeWay(sheet: Sheet): Promise<boolean> {
    const stored = await this.#door.read(sheet.draftId).catch(() => undefined)
    if (stored === undefined || sheet !== this.#sheet) return false
    const isOurs = this.#stored.recognises(stored)
    // By its id another try of what is being sent is recognised.
    if (this.#isHeld) return false
    if (!isOurs) this.#door.giveWay()
    return true
  }

  #wait(milliseconds: number): void {
    this.#stopWaiting()
    if (!this.#isOpen) return
    this.#timer = setTimeout(() => void this.flush(), milliseconds)
  }

  #stopWaiting(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #show(state: SaveState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
