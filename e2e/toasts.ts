import type { Locator, Page } from 'playwright-core'
import { eventually } from './harness.ts'

export const toastRegion = (page: Page): Locator => page.getByRole('region', { name: 'Notifications (F8)' })

/** The toast on show, if there is one. */
export const toast = (page: Page): Locator => toastRegion(page).locator('li[data-state="open"]')

/** What the toasts on show say, line by line; the first line is the title. */
export const toastLines = async (page: Page): Promise<string[]> =>
  (await toast(page).allInnerTexts())
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter(Boolean)

/** Waits for the toast with this title and, where one is given, this description directly below it. */
export async function expectToast(page: Page, title: string, description?: string): Promise<void> {
  const expected = description === undefined ? [title] : [title, description]
  await eventually(async () => (await toastLines(page)).slice(0, expected.length)).toEqual(expected)
}

/** A toast waits while its window is in the background; so it does while a test takes its time to look. */
export const keepToast = (page: Page): Promise<void> =>
  page.evaluate(() => void window.dispatchEvent(new Event('blur')))
