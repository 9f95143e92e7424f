import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { createPatience } from '../server/test/until.ts'

const LEFT_AT = 'when the page was left'

/**
 * Opens a page whose time stands still once it has loaded, and then moves only by `passTime`. `isThere` is what has to be
 * fetched before: to stop the clock it is set a minute forward, and a call that is under way would then have waited too
 * long.
 */
export async function openWithStoppedClock(page: Page, path: string, isThere?: Locator): Promise<void> {
  await page.clock.install()
  await page.addInitScript((key) => {
    navigation.addEventListener('navigate', ({ destination }) => {
      if (!destination.sameDocument) sessionStorage.setItem(key, String(Date.now()))
    })
  }, LEFT_AT)
  await page.goto(path)
  // The control stands on every screen but the spinner, whose timers must still run.
  await page.getByRole('button', { name: /theme/ }).waitFor()
  await isThere?.waitFor()
  await stopClock(page, 60_000)
}

/** The same on a page that is open already, for all that begins to wait from now on. */
export async function stopClockFromNow(page: Page): Promise<void> {
  await page.clock.install()
  await stopClock(page, 1_000)
}

async function stopClock(page: Page, ahead: number): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  await page.clock.pauseAt(now + ahead)
}

/** What a scroll does, it has done by then. */
export const nextFrames = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )

export const passTime = (page: Page, milliseconds: number): Promise<void> => page.clock.runFor(milliseconds)

/** A second of a page takes a thousand steps, each with a way there and back: on a busy machine, minutes. */
const STEPS_MS = 120_000

/**
 * Waits for something that needs the network as well as timers: lets one millisecond pass at a time, so that the
 * moment at which it happened is known to a few milliseconds; or a frame at a time, where each of them counts.
 */
export async function passTimeUntil(page: Page, holds: () => Promise<boolean>, stepMs = 1): Promise<void> {
  const patience = createPatience(STEPS_MS)
  while (!(await holds())) {
    if (patience.isOver()) throw new Error('it did not happen, however much time passed')
    await page.clock.runFor(stepMs)
    // In real time, for the server to answer and the page to draw.
    await sleep(25)
  }
}

/** Lets time pass until the page leaves for another, and answers how many milliseconds it took by its own clock. */
export async function timeUntilLeavingFor(page: Page, path: string): Promise<number> {
  const start = await page.evaluate(() => Date.now())
  await passTime(page, 10_000)
  await page.waitForURL((url) => url.pathname === path)
  await page.clock.resume()
  return Number(await page.evaluate((key) => sessionStorage.getItem(key), LEFT_AT)) - start
}

/** A time seen from outside starts a little late, when what it starts with has been drawn. */
export const within =
  (expected: number) =>
  (milliseconds: number): boolean =>
    milliseconds > expected - 100 && milliseconds <= expected
