import type { Page } from 'playwright-core'
import { DESKTOP, PHONE } from './harness.ts'
import { nextFrames } from './time.ts'

export type Look = { name: string; theme: 'light' | 'dark'; width: 'desktop' | 'phone' }

export const LIGHT_DESKTOP: Look = { name: 'light', theme: 'light', width: 'desktop' }

/** Both themes and both widths. */
export const TWO_LOOKS: readonly Look[] = [
  LIGHT_DESKTOP,
  { name: 'dark, 390 px', theme: 'dark', width: 'phone' },
]

export const THE_OTHER_TWO: readonly Look[] = [
  { name: 'dark', theme: 'dark', width: 'desktop' },
  { name: 'light, 390 px', theme: 'light', width: 'phone' },
]

/** In how many ways a state can be seen. */
export const looksOf = (
  { only }: { only?: Look['width'] },
  looks: readonly Look[] = [...TWO_LOOKS, ...THE_OTHER_TWO],
): readonly Look[] => looks.filter(({ width }) => only === undefined || only === width)

const emulated = new WeakMap<Page, Look['theme']>()

/** Gives a page that is already open another theme and width. */
export async function wear(page: Page, { theme, width }: Look): Promise<void> {
  // The HTML of a mail follows the system's choice; it knows nothing of ours.
  if (emulated.get(page) !== theme) await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  emulated.set(page, theme)
  await page.setViewportSize(width === 'phone' ? PHONE : DESKTOP)
  await page.evaluate((chosen) => {
    const root = document.documentElement
    root.classList.remove('light', 'dark')
    root.classList.add(chosen)
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: chosen }))
    // The page of the local mailbox has its own mark, which it sets as it loads.
    root.dataset['theme'] = chosen
  }, theme)
  // What belongs to another width is drawn by the frame after it, however long the machine takes for that.
  await nextFrames(page)
}
