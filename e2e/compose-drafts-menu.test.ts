import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  bodyOf,
  chips,
  DRAFTS,
  draftsButton,
  draftsOf,
  message,
  openComposer,
  storeDraft,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, holdBack, holdBackAnswer } from './steps.ts'
import { expectToast, keepToasts } from './toasts.ts'

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

describe('a draft in the menu', () => {
  it('is listed with subject, count and age, and opened from there', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await storeDraft(site, writer, {
      to: ['a@example.test', 'b@example.test'],
      subject: 'Older',
      body: 'Old words',
    })
    await storeDraft(site, writer, { body: 'Without a subject' })
    await page.reload()
    await draftsButton(page).click()
    const list = page.getByRole('list', { name: 'Drafts' })
    await eventually(() => list.getByRole('link').allInnerTexts()).toEqual([
      'No subject\n0 recipients · just now',
      'Older\n2 recipients · just now',
    ])
    await page.getByText('The 50 newest are kept.').waitFor()
    await list.getByRole('link', { name: /Older/ }).click()
    await eventually(() => message(page).inputValue()).toBe('Old words')
    await eventually(() => chips(page)).toEqual(['a@example.test', 'b@example.test'])
  })

  it('is deleted from the menu, and brought back from the toast', async ({ page, site }) => {
    await keepToasts(page)
    const writer = await openComposer(page, site)
    const id = await storeDraft(site, writer, { to: ['a@example.test'], subject: 'Wrong one', body: 'Words' })
    await page.reload()
    await draftsButton(page).click()
    await button(page, 'Delete the draft Wrong one').click()
    await expectToast(page, 'Draft Deleted', 'Wrong one')
    expect(await draftsOf(writer)).toEqual([])
    await button(page, 'Undo').click()
    await eventually(async () => (await draftsOf(writer)).map((draft) => draft.id)).toEqual([id])
    expect(await bodyOf(writer, id)).toBe('Words')
  })

  it('is deleted alone by a double click, and the keyboard goes on at the next one', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await keepToasts(page)
    const writer = await openComposer(page, site)
    for (const subject of ['Third', 'Second', 'First']) await storeDraft(site, writer, { subject })
    await page.reload()
    await draftsButton(page).click()
    await button(page, 'Delete the draft First').dblclick()
    await expectToast(page, 'Draft Deleted', 'First')
    await button(page, 'Delete the draft First').waitFor({ state: 'detached' })
    expect((await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Second', 'Third'])
    await eventually(() => focused(page)).toBe('Delete the draft Second')
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toBe('Delete the draft Third')
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toBe('Drafts')
    await page.getByText('No drafts.').waitFor()
    await page.getByText('The 50 newest are kept.').waitFor()
  })

  it('leaves the keyboard in the menu although all rows go at once', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    for (const subject of ['Second', 'First']) await storeDraft(site, writer, { subject })
    await page.reload()
    await draftsButton(page).click()
    await button(page, 'Delete the draft Second').waitFor()
    const readList = await holdBack(page, DRAFTS)
    for (const subject of ['First', 'Second'])
      await button(page, `Delete the draft ${subject}`).press('Enter')
    await eventually(() => draftsOf(writer)).toEqual([])
    await readList()
    await page.getByText('No drafts.').waitFor()
    await eventually(() => focused(page)).toBe('Drafts')
  })

  it('is there though the list was asked for, a first time, before it was written', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const list = await holdBackAnswer(page, DRAFTS)
    const writer = await openComposer(page, site)
    await list.isThere
    await storeDraft(site, writer, { subject: 'From the phone' })
    await draftsButton(page).click()
    list.letThrough()
    await page.getByRole('link', { name: /From the phone/ }).waitFor()
  })
})
