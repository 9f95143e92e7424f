import type { Page } from 'playwright-core'
import { DESKTOP, PHONE } from './harness.ts'
import { nextFrames } from './time.ts'

export type Look = { name: string; theme: 'light' | 'dark'; width: 'desktop' | 'phone' }

export const LIGHT_DESKTOP: Look = { name: 'light', theme: 'light', width: 'desktop' }

const DARK_PHONE: Look = { name: 'dark, 390 px', theme: 'dark', width: 'phone' }

/** From one to the next only theme or width changes, for each of them has a page drawn anew. */
const LOOKS: readonly Look[] = [
  LIGHT_DESKTOP,
  { name: 'dark', theme: 'dark', width: 'desktop' },
  DARK_PHONE,
  { name: 'light, 390 px', theme: 'light', width: 'phone' },
]

/** In how many ways a state can be seen. */
export const looksOf = ({ only }: { only?: Look['width'] }): readonly Look[] =>
  LOOKS.filter(({ width }) => only === undefined || only === width)

/** One of them; a screen that is asked for several of its states by turns is seen in both themes and both widths. */
export const aLookAt = ({ only }: { only?: Look['width'] }, turn: number): Look =>
  only === 'phone' || (only === undefined && turn % 2 === 1) ? DARK_PHONE : LIGHT_DESKTOP

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
