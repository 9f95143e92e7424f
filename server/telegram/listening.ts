import { setTimeout as sleep } from 'node:timers/promises'
import type { Notice, Notices } from '../platform/notices.ts'

/** Before it is tried again to hear anything. */
const DEAF_MS = 1_000

type Listener = {
  heard(notice: Notice): void
  /** It was deaf for a while and hears again: whatever it has not been told is found by looking. */
  missed(): void
}

/** Hears what concerns anybody, from when this has answered until the signal; an interruption ends by itself. */
export async function listenTo(
  notices: Pick<Notices, 'subscribe'>,
  signal: AbortSignal,
  { heard, missed }: Listener,
): Promise<void> {
  while (!signal.aborted)
    try {
      const lost = new AbortController()
      const leave = await notices.subscribe({
        userId: null,
        heard,
        lost() {
          lost.abort()
          void listenTo(notices, signal, { heard, missed }).then(() => {
            if (!signal.aborted) missed()
          })
        },
      })
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true, signal: lost.signal })
      return
    } catch {
      await sleep(DEAF_MS, undefined, { signal }).catch(() => {})
    }
}
