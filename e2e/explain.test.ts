import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { aSender, pretend } from './dashboard-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button } from './steps.ts'
import { nextFrames } from './time.ts'

const explanation = (page: Page): Promise<string> =>
  page
    .getByRole('tooltip')
    .allInnerTexts()
    .then((texts) => texts.join())

const mark = (page: Page, name: string) => button(page, `How ${name} is counted`)

describe('what a rate is of', () => {
  it('is told to the keyboard, to the pointer and to a finger', async ({ page, site }) => {
    await pretend(site, await aSender(page, site), 'News', { accepted: 10, delivered: 9 })
    await page.goto('/')
    await mark(page, 'Bounce Rate').focus()
    await eventually(() => explanation(page)).toBe('Came back, of all that were accepted.')
    await page.keyboard.press('Escape')
    await eventually(() => explanation(page)).toBe('')
    await mark(page, 'Spam Rate').hover()
    await eventually(() => explanation(page)).toBe('Reported as spam, of all that were accepted.')
    await page.mouse.move(10, 10, { steps: 10 })
    await eventually(() => explanation(page)).toBe('')

    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    const tap = async (x: number, y: number) => {
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    const box = await mark(page, 'Delivery Rate').boundingBox()
    if (!box) throw new Error('the mark is not in sight')
    await tap(box.x + box.width / 2, box.y + box.height / 2)
    await eventually(() => explanation(page)).toBe('Delivered, of all that were accepted.')
    await tap(700, 20)
    await eventually(() => explanation(page)).toBe('')
  })

  it('is told to the keyboard also where the mark has to come into sight first, until Escape', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const id = await pretend(site, await aSender(page, site), 'News', { accepted: 10 })
    await page.setViewportSize({ width: 1280, height: 300 })
    await page.goto(`/history/${id}`)
    await mark(page, 'Delivered').focus()
    await eventually(() => page.evaluate(() => window.scrollY > 0)).toBe(true)
    await nextFrames(page)
    expect(await explanation(page)).toBe('Delivered, of all that were accepted.')
    await page.keyboard.press('Escape')
    await eventually(() => explanation(page)).toBe('')
    await mark(page, 'Delivered').blur()
    await mark(page, 'Delivered').focus()
    await eventually(() => explanation(page)).toBe('Delivered, of all that were accepted.')
    await page.keyboard.press('Tab')
    await eventually(() => explanation(page)).toBe('')
  })

  it('stands beside a number, never where one is still to come and would take its place', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const id = await pretend(site, await aSender(page, site), 'News', { accepted: 10 })
    const arrival = Promise.withResolvers<void>()
    await page.route(`**/api/email-history/${id}`, async (route) => {
      await arrival.promise
      await route.continue()
    })
    await page.goto(`/history/${id}`)
    await page.getByText('Loading the email').waitFor({ state: 'attached' })
    expect(await mark(page, 'Delivered').count()).toBe(0)
    arrival.resolve()
    await mark(page, 'Delivered').waitFor()
  })

  it('is told of the days of the chart too', { tags: 'thorough' }, async ({ page, site }) => {
    await pretend(site, await aSender(page, site), 'News', { accepted: 10 })
    await page.goto('/')
    await mark(page, 'Email Activity').focus()
    await eventually(() => explanation(page)).toContain('on the day on which you sent it off')
  })

  it('says how far plain SMTP reaches, on the dashboard and with a campaign that went by it', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const sender = await aSender(page, site)
    const reported = await pretend(site, sender, 'Reported', { accepted: 10, delivered: 9 })
    const presumed = await pretend(site, sender, 'By SMTP', { accepted: 10, delivered: 9, is_presumed: true })
    const reach = 'What went by plain SMTP'
    for (const [path, name] of [
      ['/', 'Delivery Rate'],
      ['/history', 'Delivery'],
      [`/history/${presumed}`, 'Delivered'],
    ] as const) {
      await page.goto(path)
      await mark(page, name).focus()
      await eventually(() => explanation(page)).toContain(reach)
    }
    await page.goto(`/history/${reported}`)
    await mark(page, 'Delivered').focus()
    await eventually(() => explanation(page)).toBe('Delivered, of all that were accepted.')
  })
})
