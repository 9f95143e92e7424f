import type { Locator, Page } from 'playwright-core'
import { eventually } from './harness.ts'
import { linesOf, remembered } from './toast-memory.ts'

export const toastRegion = (page: Page): Locator => page.getByRole('region', { name: 'Notifications (F8)' })

/** The toast on show, if there is one. */
export const toast = (page: Page): Locator => toastRegion(page).locator('li[data-state="open"]')

/** What the toasts on show say, line by line; the first line is the title. */
export const toastLines = async (page: Page): Promise<string[]> =>
  (await toast(page).allInnerTexts()).flatMap(linesOf)

/** How many of those that a page remembers lie behind its journey. */
const past = new WeakMap<Page, number>()

/**
 * Waits for the toast with this title and, where they are given, these lines directly below it; answers all its lines.
 * It may have gone by itself before anybody looked. One that was waited for before counts only while it is on show.
 */
export async function expectToast(
  page: Page,
  ...expected: [title: string, ...below: string[]]
): Promise<string[]> {
  const isIt = (lines: string[]) => expected.every((line, index) => lines[index] === line)
  let found: string[] = []
  const look = async () => {
    // First what is on show: it is remembered by then, and is not taken for the next one later.
    const shown = await toastLines(page)
    const all = await remembered(page)
    const asked = past.get(page) ?? 0
    const index = all.findIndex((lines, place) => place >= asked && isIt(lines))
    if (index >= asked) past.set(page, index + 1)
    found = all[index] ?? shown
    return found.slice(0, expected.length)
  }
  await eventually(look).toEqual(expected)
  return found
}

type Keeping = typeof window & { keeping?: ReturnType<typeof setInterval> }

/** A toast waits while its window is in the background, and hears of that a moment after it has come. */
const keep = (): void => {
  const keeping = window as Keeping
  keeping.keeping = setInterval(() => window.dispatchEvent(new Event('blur')), 50)
}

/** From its next load on, has a page keep its toasts, for journeys that do something about them. */
export const keepToasts = (page: Page): Promise<unknown> => page.addInitScript(keep)

/** The same at once, for a page that is open already. */
export const keepToastsFromNow = (page: Page): Promise<void> => page.evaluate(keep)

/** Ends that, for what hangs on its window, such as a menu, closes when that goes to the background. */
export const letToastsGo = (page: Page): Promise<void> =>
  page.evaluate(() => clearInterval((window as Keeping).keeping))

/** Takes away the toast on show, if there is one. */
export async function dismissToast(page: Page): Promise<void> {
  // At once, for it may be about to go by itself.
  await toast(page)
    .getByRole('button', { name: 'Dismiss' })
    .evaluateAll((found: HTMLElement[]) => found.forEach((one) => void one.click()))
  await toast(page).waitFor({ state: 'detached' })
  past.set(page, (await remembered(page)).length)
}
