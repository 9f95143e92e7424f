import type { Page } from 'playwright-core'

/** Closes the dialog or the menu that the state before has left open. */
export async function closeOpen(page: Page): Promise<void> {
  const open = page.locator('[role=dialog], [role=menu]')
  // To itself, for the keyboard may be anywhere by now, also in the frame of a mail.
  await open.press('Escape')
  await open.waitFor({ state: 'detached' })
}

const held = new WeakMap<Page, (() => void)[]>()

/** Keeps calls to a path waiting until a later state of this page lets them through. */
export async function holdForNext(page: Page, path: string): Promise<void> {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  held.set(page, [...(held.get(page) ?? []), open])
  await page.route(`**${path}`, async (route) => {
    await gate
    // To whoever else was asked to answer. If a test has failed before, the page is gone.
    await route.fallback().catch(() => {})
  })
  // However long it is looked at: a page waits for a minute, and would show that it has given up.
  const waitForEver = () => {
    AbortSignal.timeout = () => new AbortController().signal
  }
  await page.addInitScript(waitForEver)
  await page.evaluate(waitForEver)
}

export function letThrough(page: Page): void {
  for (const open of held.get(page) ?? []) open()
}
