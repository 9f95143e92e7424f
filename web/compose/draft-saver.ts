import { type Content, isBlank } from './letter.ts'

export type SaveState =
  /** Nothing to save: blank, or as it was opened. */
  | { kind: 'idle' }
  /** Somebody asked for it all the same. */
  | { kind: 'nothing to save' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: number }
  | { kind: 'failed'; reason: string }

interface Door {
  save(id: string, content: Content): Promise<void>
  remove(id: string): Promise<void>
  /** What to tell people of a failure. */
  wordsOf(error: unknown): string
  /** `basedOn` is when what was written on had been read, or saved before. */
  onSaved(id: string, basedOn: number): void
  onRemoved(id: string): void
}

interface Sheet {
  draftId: string
  read(): Content
  /** False while a list is still being read: half of it must not replace the whole. */
  isReady(): boolean
  /** It is on the server in exactly this form already. */
  isStored: boolean
}

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
  #base = Date.now()
  #savedAt = Number.NEGATIVE_INFINITY

  constructor(door: Door, sheet: Sheet) {
    this.#door = door
    this.#sheet = sheet
  }

  readonly state = (): SaveState => this.#state
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get draftId(): string {
    return this.#sheet.draftId
  }

  /** When the sheet was last the same here and on the server. */
  get base(): number {
    return this.#base
  }

  /** Everything that was typed is on the server, or there is nothing. */
  isSafe(): boolean {
    return this.#change === this.#savedChange
  }

  /** Something was typed, or it is a draft already: unlike a template or a resend that is only looked at. */
  isBegun(): boolean {
    return this.#sheet.isStored || this.#change > 0
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

  /** Somebody asks for it: also what was only opened, such as a template, becomes a draft. */
  async keep(): Promise<void> {
    this.#takeWhole()
    if (await this.flush()) {
      if (this.#sheet.isStored) this.#show({ kind: 'saved', at: Date.now() })
      else this.#show({ kind: 'nothing to save' })
    }
  }

  /** Before a send: saves, as a reload in the middle of it must find the letter, and then keeps still. */
  async hold(): Promise<void> {
    this.#takeWhole()
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

  /** The letter is gone from here, sent or deleted. A save that is still under way must not bring it back. */
  startOver(sheet: Sheet): void {
    const { draftId } = this.#sheet
    if (this.#underWay) void this.#underWay.then(() => this.#door.remove(draftId)).catch(() => {})
    this.#stopWaiting()
    this.#sheet = sheet
    this.#change = 0
    this.#savedChange = 0
    this.#failures = 0
    this.#isHeld = false
    this.#underWay = null
    this.#base = Date.now()
    this.#savedAt = Number.NEGATIVE_INFINITY
    this.#show({ kind: 'idle' })
  }

  /** Another tab has saved or sent this draft. True when it did not know of all that is here. */
  isConflict(basedOn: number): boolean {
    return !this.isSafe() || this.#savedAt > basedOn
  }

  /** What another tab saved is here now; `at` is when it was asked for. */
  followed(at: number): void {
    this.#base = at
  }

  /** What is here goes on under another id. */
  fork(draftId: string): void {
    const { draftId: left } = this.#sheet
    const base = this.#base
    // A save that is still under way lands under the old id: its owner must know, and save again.
    if (this.#underWay) void this.#underWay.then(() => this.#door.onSaved(left, base))
    this.#sheet = { ...this.#sheet, draftId, isStored: false }
    this.#savedAt = Number.NEGATIVE_INFINITY
    this.touch()
  }

  open(): void {
    this.#isOpen = true
  }

  /** The screen is left for another one: the last save goes out, and is not tried again. */
  close(): void {
    this.#isOpen = false
    void this.flush()
  }

  /** Also what was only opened is to be saved. */
  #takeWhole(): void {
    if (!this.#sheet.isStored) this.#change += 1
  }

  async #save(): Promise<void> {
    const sheet = this.#sheet
    if (!sheet.isReady()) return this.#wait(QUIET_MS)
    const change = this.#change
    const content = sheet.read()
    const isRemoval = isBlank(content)
    if (isRemoval && !sheet.isStored) {
      this.#savedChange = change
      this.#show({ kind: 'idle' })
      return
    }
    const work = isRemoval ? this.#door.remove(sheet.draftId) : this.#door.save(sheet.draftId, content)
    const settled = work.then(
      () => {
        if (sheet !== this.#sheet) return
        sheet.isStored = !isRemoval
        this.#savedChange = change
        this.#failures = 0
        this.#waitingSince = null
        if (this.isSafe()) this.#show(isRemoval ? { kind: 'idle' } : { kind: 'saved', at: Date.now() })
        else this.#wait(QUIET_MS)
        const base = this.#base
        this.#savedAt = Date.now()
        this.#base = this.#savedAt
        if (isRemoval) this.#door.onRemoved(sheet.draftId)
        else this.#door.onSaved(sheet.draftId, base)
      },
      (error: unknown) => {
        if (sheet !== this.#sheet) return
        this.#show({ kind: 'failed', reason: this.#door.wordsOf(error) })
        this.#waitingSince = null
        if (!this.#isHeld)
          this.#wait(RETRIES_MS[Math.min(this.#failures++, RETRIES_MS.length - 1)] ?? QUIET_MS)
      },
    )
    this.#underWay = settled
    await settled
    if (this.#underWay === settled) this.#underWay = null
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
