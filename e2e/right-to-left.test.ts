import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { draftsButton, openComposer, storeDraft, storeTemplate } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { button, field } from './steps.ts'

/** Set from left to right, its question mark would stand before its first word. */
const SUBJECT = 'מה נשמע?'

/** Its direction, and on which side of the screen it stands. */
const looksOf = (text: Locator): Promise<string[]> =>
  text.evaluate((element) => {
    const { direction, textAlign } = getComputedStyle(element)
    return [direction, textAlign]
  })

it('a subject from right to left reads as it is written, and stands where all others do', {
  tags: 'thorough',
}, async ({ page, site }) => {
  const writer = await openComposer(page, site)
  const id = await pastCampaign(site, writer.userId, { subject: SUBJECT, letters: { q: 1 } })
  await storeTemplate(writer, SUBJECT)
  await storeDraft(site, writer, { subject: SUBJECT })
  const shown = page.locator('#content').getByText(SUBJECT, { exact: true }).first()
  for (const path of ['/', '/history', `/history/${id}`, '/templates']) {
    await page.goto(path)
    await shown.waitFor()
    await eventually(() => looksOf(shown)).toEqual(['rtl', 'left'])
  }
  await page.goto('/compose')
  await draftsButton(page).click()
  const draft = page.getByRole('dialog', { name: 'Drafts' }).getByText(SUBJECT, { exact: true })
  expect(await looksOf(draft)).toEqual(['rtl', 'left'])
  await page.keyboard.press('Escape')
  await field(page, 'Subject').fill(SUBJECT)
  await button(page, 'Preview').click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  expect((await looksOf(preview.getByText(SUBJECT, { exact: true })))[0]).toBe('rtl')
})
