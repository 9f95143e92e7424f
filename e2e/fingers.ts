import type { Page } from 'playwright-core'

/** Elements that reach beyond the right edge, when they make the page scroll sideways. */
export const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5,
    )
    return [
      `${scrollWidth} px in ${clientWidth} px`,
      ...wide.map((element) => element.outerHTML.slice(0, 120)),
    ]
  })

/** Dialogs of which a part lies outside of the screen, where no scrolling of theirs brings it. */
export const findCutDialogs = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
      .map((dialog) => ({ dialog, box: dialog.getBoundingClientRect() }))
      .filter(({ box }) => box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth)
      .map(
        ({ dialog, box }) =>
          `${dialog.getAttribute('aria-labelledby')}: ${[box.left, box.top, box.right, box.bottom].join(', ')}`,
      ),
  )

/** More than any dialog has to go through. */
const TABS = 15

/** What the keyboard reaches behind a dialog that has to be answered first. */
export async function findReachedBehind(page: Page): Promise<string[]> {
  const isAnswered = (await page.locator('#root[aria-hidden=true]').count()) === 0
  const reached: string[] = []
  for (let tab = 0; tab < TABS && !isAnswered; tab += 1) {
    await page.keyboard.press('Tab')
    reached.push(
      ...(await page
        .locator('#root :focus, body:focus')
        .evaluateAll((found) => found.map((one) => one.outerHTML.slice(0, 160)))),
    )
  }
  return reached
}

const FINGER = 44

/**
 * Everything that can be pressed and is smaller than a finger. What counts is where a touch reaches the element, which
 * is more than its box when its surroundings pass the touch on, and less when something lies over it. Links inside the
 * text of a mail are as its sender wrote them, and what a toast lies over is free again when it goes.
 */
export const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((finger) => {
    type Point = { x: number; y: number }
    const reach = (target: Element, { x, y }: Point, step: Point, most: number): number => {
      let count = 0
      const hits = () => {
        const hit = document.elementFromPoint(x + step.x * (count + 1), y + step.y * (count + 1))
        return hit !== null && (target.contains(hit) || hit.closest('label')?.control === target)
      }
      while (count < most && hits()) count += 1
      return count
    }
    /** From one side to the other, or only until that is enough. */
    const span = (target: Element, middle: Point, { x, y }: Point, enough = 2 * finger + 1): number => {
      const before = reach(target, middle, { x: -x, y: -y }, Math.min(finger, enough - 1))
      return before + 1 + reach(target, middle, { x, y }, Math.min(finger, enough - 1 - before))
    }
    const [across, down] = [
      { x: 1, y: 0 },
      { x: 0, y: 1 },
    ] as const
    const isOurs = (element: Element) =>
      element.checkVisibility({ opacityProperty: true }) &&
      !element.closest('[aria-label="Text of the message"]')
    const toast = document.querySelector('[aria-label="Notifications (F8)"] li[data-state=open]')
    const isBehindToast = (target: Element, { top, bottom }: DOMRect) => {
      if (!toast || toast.contains(target)) return false
      const over = toast.getBoundingClientRect()
      return top < over.bottom && bottom > over.top
    }
    return [...document.querySelectorAll('a[href], button:enabled, input, select, textarea')]
      .filter(isOurs)
      .flatMap((target) => {
        target.scrollIntoView({ block: 'center' })
        // A link over two lines has two boxes; the first is as good as any.
        const box = target.getClientRects()[0]
        if (!box) return []
        if (isBehindToast(target, box)) return []
        const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
        if (!target.contains(document.elementFromPoint(middle.x, middle.y))) return []
        if ([across, down].every((way) => span(target, middle, way, finger) >= finger)) return []
        const [width, height] = [across, down].map((way) => span(target, middle, way))
        return [`${width} × ${height} px: ${target.outerHTML.slice(0, 160)}`]
      })
  }, FINGER)
