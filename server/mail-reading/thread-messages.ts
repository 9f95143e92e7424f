import type { AttachedFile, ReadMail } from './reading.ts'

/** What a thread is asked, one question at a time. */
export type Question =
  | { kind: 'read'; raw: Uint8Array<ArrayBuffer>; envelopeFrom: string }
  /** For a mail of which only the beginning is handed over. */
  | { kind: 'read-plainly'; raw: Uint8Array<ArrayBuffer>; envelopeFrom: string }
  | { kind: 'attachment'; raw: Uint8Array<ArrayBuffer>; index: number }

export type Answer =
  | { kind: 'ready' }
  /** What stands if the thread has to be ended before it has finished. */
  | { kind: 'so-far'; mail: ReadMail }
  | { kind: 'read'; mail: ReadMail }
  | { kind: 'file'; file: AttachedFile | null }
  | { kind: 'failed' }
