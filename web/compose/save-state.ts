export type SaveState =
  /** Nothing to save: blank, or as it was opened. */
  | { kind: 'idle' }
  /** Somebody asked for it all the same. */
  | { kind: 'nothing to save' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: number }
  | { kind: 'failed'; reason: string }
