import { NOT_THE_MAILBOX } from '../bounces/causes.ts'
import { classify } from '../bounces/classify.ts'

/** Far more than a server says; what it says is searched for words that tell the cause. */
const SAID_MAX = 2_000
const ENHANCED = /^[45]\.\d{1,3}\.\d{1,3}$/
/** The reply that its words begin with. */
const ASKED_TO_COME_AGAIN = /^4\d\d(?!\d)/

/**
 * What a server meant by refusing a mail that the provider does not try again, judged like a report that comes back;
 * null where neither code nor words tell. Providers give up also on a mailbox that is full, or a mail too large for it.
 */
export function judgeRefusal(status: string, said: string): 'hard' | 'soft' | 'message' | null {
  const enhanced = ENHANCED.test(status) ? status : null
  if (enhanced?.startsWith('4') || ASKED_TO_COME_AGAIN.test(said)) return 'soft'
  const { kind, cause } = classify({
    action: 'failed',
    status: enhanced,
    diagnostic: said.slice(0, SAID_MAX),
    nearby: '',
    around: () => null,
  })
  if (kind === 'hard') return 'hard'
  if (cause === null || cause === 'unknown') return null
  return NOT_THE_MAILBOX.has(cause) ? 'message' : 'soft'
}

/**
 * Of a refusal that the provider itself does not hold against the mailbox for good: where the server's words are about
 * the mail or its sender, it is not held against it at all, however often it comes.
 */
export const softOf = (status: string, said: string): 'soft' | 'message' =>
  judgeRefusal(status, said.replace(/^smtp;\s*/i, '')) === 'message' ? 'message' : 'soft'
