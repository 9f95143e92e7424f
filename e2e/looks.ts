import type { Page } from 'playwright-core'
import { DESKTOP, PHONE } from './harness.ts'
import type { State } from './states.ts'

export type Look = { name: string; theme: 'light' | 'dark'; width: 'desktop' | 'phone' }

const LOOKS: readonly Look[] = [
  { name: 'light', theme: 'light', width: 'desktop' },
  { name: 'dark', theme: 'dark', width: 'desktop' },
  { name: 'light, 390 px', theme: 'light', width: 'phone' },
  { name: 'dark, 390 px', theme: 'dark', width: 'phone' },
]

/** In how many ways a state can be seen. */
export const looksOf = ({ only }: State): readonly Look[] =>
  LOOKS.filter(({ width }) => only === undefined || only === width)

/** Gives a page that is already open another theme and width, as the theme control in another tab would. */
export async function wear(page: Page, { theme, width }: Look): Promise<void> {
  // The HTML of a mail follows the system's choice; it knows nothing of ours.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize(width === 'phone' ? PHONE : DESKTOP)
  await page.evaluate((chosen) => {
    localStorage.setItem('theme', chosen)
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: chosen }))
    // The page of the local mailbox reads the choice as it loads.
    if (location.pathname.startsWith('/local-mailbox')) document.documentElement.dataset['theme'] = chosen
  }, theme)
}
