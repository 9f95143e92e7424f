import type { BrowserContext, Page } from 'playwright-core'

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Kept by the tab, so that it outlives the page: some toasts are followed by another page after a moment. */
const REMEMBERED = 'toasts so far'

/** Has every page note its toasts: they go after a while, and a journey may be late to look. */
export const rememberToasts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript((key) => {
    // A mail is shown in a frame, which may store nothing and has no toasts.
    if (window !== window.top) return
    const note = (toast: HTMLElement) => {
      const known: string[] = JSON.parse(sessionStorage.getItem(key) ?? '[]')
      sessionStorage.setItem(key, JSON.stringify([...known, toast.innerText]))
    }
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLLIElement && node.dataset['swipeDirection']) note(node)
    }).observe(document, { childList: true, subtree: true })
  }, REMEMBERED)

/** What each of them said, line by line; the oldest comes first. */
export const remembered = async (page: Page): Promise<string[][]> => {
  const texts = await page.evaluate(
    (key): string[] => JSON.parse(sessionStorage.getItem(key) ?? '[]'),
    REMEMBERED,
  )
  return texts.map(linesOf)
}
