import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Opens a page whose time stands still once it has loaded, and then moves only by `passTime`. */
export async function openWithStoppedClock(page: Page, path: string): Promise<void> {
  await page.clock.install()
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + 1000)
}

export const passTime = (page: Page, milliseconds: number): Promise<void> => page.clock.runFor(milliseconds)

/**
 * Waits for something that needs the network as well as timers: lets one millisecond pass at a time, so that the
 * moment at which it happened is known to a few milliseconds.
 */
export async function passTimeUntil(page: Page, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('it did not happen, however much time passed')
    await page.clock.runFor(1)
    // In real time, for the server to answer and the page to draw.
    await sleep(25)
  }
}
