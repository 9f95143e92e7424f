import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import { PASSWORD } from './harness.ts'

/** What people do on the account screens, in their words. */

export const pathOf = (page: Page): string => new URL(page.url()).pathname

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true, level: 1 })

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

export const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

export const isFocused = async (page: Page, what: Locator): Promise<boolean> =>
  (await what.and(page.locator(':focus')).count()) === 1

/** The screen itself, where the keyboard is when nothing nearer can have it. */
export const screen = (page: Page) => page.locator('main')

export async function fillSignUp(
  page: Page,
  { email, password = PASSWORD, confirm = password }: { email: string; password?: string; confirm?: string },
): Promise<void> {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm Password').fill(confirm)
}

export async function signUp(page: Page, account: { email: string; password?: string }): Promise<string> {
  await page.goto('/sign-up')
  await fillSignUp(page, account)
  await button(page, 'Sign Up').click()
  await page.waitForURL(/\/verify-email\?userId=./)
  return new URL(page.url()).searchParams.get('userId') ?? ''
}

export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
}

/** The second click of two. */
export async function clickAgain(target: Locator): Promise<void> {
  await target.hover()
  const { mouse } = target.page()
  await mouse.down({ clickCount: 2 })
  await mouse.up({ clickCount: 2 })
}

/** Answers every call to a path in the server's place, until `tryAgain` or `page.unroute` is called for it. */
export async function answerWith(
  page: Page,
  path: string,
  status: number,
  body: string,
  { afterMs = 0 } = {},
): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    await sleep(afterMs)
    await route.fulfill({ status, body, contentType: 'text/plain' })
  })
}

/**
 * Presses "Try again" where `answerWith` has refused a path. It is refused until the press itself, for a page may ask
 * again of its own accord, and the button would be gone. If it does so between the two halves of a press, another button
 * has taken the place of the one that was pressed, and nobody has heard of it: that one is pressed then.
 */
export async function tryAgain(page: Page, path: string, within: Page | Locator = page): Promise<void> {
  await page.evaluate(() => {
    // Of an earlier press, for another path.
    document.documentElement.removeAttribute('data-tried-again')
    const mark = ({ target }: Event) => {
      const isPress = target instanceof Element && target.closest('button') !== null
      if (isPress) document.documentElement.setAttribute('data-tried-again', '')
    }
    document.addEventListener('click', mark, { capture: true })
  })
  const isMarked = async () => (await page.locator('html[data-tried-again]').count()) > 0
  let isPressed = false
  await page.route(`**${path}`, async (route) => {
    isPressed ||= await isMarked()
    await (isPressed ? route.continue() : route.fallback())
  })
  while (!isPressed) {
    await within.getByRole('button', { name: 'Try again', exact: true }).click()
    isPressed ||= await isMarked()
  }
}

/** What a page asks for beside its screen, whenever it likes: when the session ends, it may come too late. */
export const ASKED_ANYTIME = ['/api/events', '/api/inbox/summary', '/api/telegram/links']

/** Keeps calls to a path waiting until the returned function lets them through. */
export async function holdBack(page: Page, path: string): Promise<() => Promise<void>> {
  let letThrough = () => {}
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  const pattern = `**${path}`
  await page.route(pattern, async (route) => {
    await gate
    // The page may be gone by then, with the test that held it back.
    await route.continue().catch(() => {})
  })
  return async () => letThrough()
}

/** Files are not read until the returned function is called. */
export async function holdBackDisk(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer
    const gate = new Promise((resolve) => window.addEventListener('disk answers', resolve, { once: true }))
    Blob.prototype.arrayBuffer = async function () {
      await gate
      return read.call(this)
    }
  })
  return () => page.evaluate(() => void window.dispatchEvent(new Event('disk answers')))
}

/** Empties the box of a search that has found nothing, with the answer to that held back. */
export async function takeSearchBack(
  page: Page,
  search: { at: string; none: string; box: Locator; list: string },
): Promise<() => Promise<void>> {
  await page.goto(search.at)
  const nothing = page.getByRole('heading', { name: search.none })
  await nothing.waitFor()
  const letThrough = await holdBack(page, `${search.list}?*`)
  await search.box.fill('')
  await nothing.waitFor({ state: 'detached' })
  return letThrough
}

/** The server has done what was asked, and nobody hears of that. */
export const loseAnswers = (page: Page, path: string): Promise<unknown> =>
  page.route(`**${path}`, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })

/** As above, but the answer only waits. `isThere`: the server has given the first one. */
export async function holdBackAnswer(
  page: Page,
  path: string,
): Promise<{ isThere: Promise<void>; letThrough: () => void }> {
  const { promise: isThere, resolve: comes } = Promise.withResolvers<void>()
  const { promise: gate, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    comes()
    await gate
    await route.fulfill({ response })
  })
  return { isThere, letThrough }
}
