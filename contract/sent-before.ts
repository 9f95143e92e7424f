/** The refusal of another request under a key that was used: the page finds by it what became of an earlier try. */
export const SENT_BEFORE =
  'An earlier version of this was sent under the same Idempotency-Key, so this one was not sent'
