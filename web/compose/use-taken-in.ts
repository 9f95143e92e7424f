import { useRef } from 'react'
import type { DraftSaver } from './draft-saver.ts'
import type { RecipientList } from './recipient-list.ts'

/**
 * Lists that somebody has pasted or chosen. Only once they are read does the saver hear of them: until then they count as
 * unsaved.
 */
export function useTakenIn(list: RecipientList, saver: DraftSaver) {
  const underWay = useRef(new Set<Promise<unknown>>())
  return {
    takeIn: <T>(work: () => Promise<T>): Promise<T> => {
      const reading = list.whileReading(work).finally(() => underWay.current.delete(reading))
      underWay.current.add(reading)
      return reading
    },
    /** Nothing of the email would be lost now. */
    isSafe: (): boolean => saver.isSafe() && underWay.current.size === 0,
    /** Makes it so; answers whether it is. */
    save: async (): Promise<boolean> => {
      while (underWay.current.size > 0) await Promise.allSettled(underWay.current)
      return saver.flush()
    },
  }
}
