import type { BrowserContext, Page } from 'playwright-core'

const NEWS = '/api/events'

const setVisibility = (page: Page, state: DocumentVisibilityState): Promise<void> =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { value: next, configurable: true })
    Object.defineProperty(document, 'hidden', { value: next === 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** As if another tab lay over this one: by itself a browser without a screen says of each that it is seen. */
export const lookAway = (page: Page): Promise<void> => setVisibility(page, 'hidden')
export const lookAgain = (page: Page): Promise<void> => setVisibility(page, 'visible')

/** For a page that has not been opened yet: as by "Open Link in New Tab". */
export const openUnseen = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    Object.defineProperty(document, 'hidden', { value: true, configurable: true })
  })

/** Counts the streams of news that pages hold open from now on, and those that were ever asked for. */
export function countStreams(pages: Page | BrowserContext): { open: () => number; asked: () => number } {
  let asked = 0
  const open = new Set<object>()
  const isNews = (url: string) => new URL(url).pathname === NEWS
  // Both have these events, but not one signature for them.
  const context = 'context' in pages ? pages.context() : pages
  const isMeant = (page: Page) => pages === context || pages === page
  context.on('response', (response) => {
    if (isNews(response.url()) && isMeant(response.frame().page())) open.add(response.request())
  })
  context.on('request', (request) => {
    if (isNews(request.url()) && isMeant(request.frame().page())) asked += 1
  })
  context.on('requestfailed', (request) => void open.delete(request))
  context.on('requestfinished', (request) => void open.delete(request))
  return { open: () => open.size, asked: () => asked }
}
