import { describe, expect } from 'vitest'
import { draftsButton, draftsOf, openComposer, storeDraft } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button } from './steps.ts'
import { nextFrames } from './time.ts'
import { keepToasts } from './toasts.ts'

describe('a key that is held', { tags: 'thorough' }, () => {
  it('presses one button, though the keyboard goes on at another', async ({ page, site }) => {
    await keepToasts(page)
    const writer = await openComposer(page, site)
    for (const subject of ['Third', 'Second', 'First']) await storeDraft(site, writer, { subject })
    await page.reload()
    await draftsButton(page).click()
    await button(page, 'Delete the draft First').focus()
    await page.keyboard.down('Enter')
    const next = button(page, 'Delete the draft Second')
    await eventually(() => next.and(page.locator(':focus')).count()).toBe(1)
    await page.evaluate(() => {
      document.addEventListener('click', () => document.body.setAttribute('data-pressed', ''), true)
    })
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await nextFrames(page)
    expect(await page.locator('body[data-pressed]').count()).toBe(0)
    expect((await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Second', 'Third'])
    await page.keyboard.press('Enter')
    await eventually(async () => (await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Third'])
  })
})
