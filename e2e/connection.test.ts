import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { aSender, send } from './dashboard-steps.ts'
import { journey as it, screenshot } from './harness.ts'
import { answerWith, link } from './steps.ts'
import { nextFrames } from './time.ts'

const NEWS = '/api/events'

/** What stands in a bar from left to right, on a desk and on two phones. */
async function placesIn(page: Page, bar: Locator) {
  const found = []
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await nextFrames(page)
    const seen = await bar.evaluate((element) => ({
      room: element.clientWidth,
      wanted: element.scrollWidth,
      places: [
        ...element.querySelectorAll(':scope > span, button, [role=status] > span, [role=status] > svg'),
      ].map((part) => {
        const { left, right } = part.getBoundingClientRect()
        return { left, right, isButton: part.matches('button') }
      }),
    }))
    found.push({ width, ...seen })
  }
  return found
}

it('hears of campaigns again after a proxy answered in the place of the server', {
  tags: 'thorough',
}, async ({ page, site, expectRefusal }) => {
  const { client } = await aSender(page, site)
  expectRefusal(NEWS)
  await answerWith(page, NEWS, 502, 'Bad Gateway')
  const read = [NEWS, '/api/email-history?*'].map((path) => page.waitForResponse(`**${path}`))
  await page.goto('/history')
  await Promise.all(read)
  await page.unroute(`**${NEWS}`)
  await send(client, 'Sent from elsewhere')
  await link(page, 'Sent from elsewhere').waitFor()
})

it('says while the line of news is cut that numbers may be out of date, and moves nothing by that', {
  tags: 'thorough',
}, async ({ page, site, expectRefusal }) => {
  await aSender(page, site)
  expectRefusal(NEWS)
  await answerWith(page, NEWS, 502, 'Bad Gateway')
  const refused = page.waitForResponse(`**${NEWS}`)
  await page.clock.install()
  await page.goto('/')
  await refused
  const bar = page.getByRole('banner')
  const note = bar.getByRole('status').getByText('No connection: numbers may be out of date')
  await page.clock.fastForward(5_000)
  await note.waitFor()
  const shown = await placesIn(page, bar)
  await screenshot(page, 'no connection 1280')
  for (const { width, places, wanted, room } of shown) {
    expect(wanted, `what the bar holds at ${width} px`).toBeLessThanOrEqual(room)
    expect(places.every(({ right }, index) => right <= (places[index + 1]?.left ?? width))).toBe(true)
  }
  await page.unroute(`**${NEWS}`)
  await page.clock.fastForward(30_000)
  await note.waitFor({ state: 'detached' })
  const buttonsOf = (all: typeof shown) =>
    all.map(({ places }) => places.filter(({ isButton }) => isButton).map(({ left }) => left))
  expect(buttonsOf(await placesIn(page, bar))).toEqual(buttonsOf(shown))
})
