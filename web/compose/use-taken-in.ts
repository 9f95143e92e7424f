import { useRef } from 'react'
import type { DraftSaver } from './draft-saver.ts'
import type { RecipientList } from './recipient-list.ts'

/**
 * Lists that somebody has pasted or chosen. Only once they are read does the saver hear of them: until then they count as
 * unsaved.
 */
export function useTakenIn(list: RecipientList, saver: DraftSaver) {
  const underWay = useRef(new Set<Promise<unknown>>())
  const isReading = (): boolean => underWay.current.size > 0
  const allRead = async (): Promise<void> => {
    while (isReading()) await Promise.allSettled(underWay.current)
  }
  return {
    isReading,
    takeIn: <T>(work: () => Promise<T>): Promise<T> => {
      const reading = list.whileReading(work).finally(() => underWay.current.delete(reading))
      underWay.current.add(reading)
      return reading
    },
    /** Nothing of the email would be lost now. */
    isSafe: (): boolean => saver.isSafe() && !isReading(),
    allRead,
    /** Makes it safe; answers whether it is. */
    save: async (): Promise<boolean> => {
      await allRead()
      return saver.flush()
    },
  }
}
