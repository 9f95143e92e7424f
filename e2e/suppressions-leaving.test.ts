import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { chooseFiles } from './compose-steps.ts'
import { holdForNext, letThrough } from './going-on.ts'
import { eventually, journey as it } from './harness.ts'
import {
  ASKED_ANYTIME,
  answerWith,
  button,
  heading,
  holdBack,
  holdBackDisk,
  isFocused,
  link,
  pathOf,
} from './steps.ts'
import {
  addDialog,
  addressSearch,
  listOf,
  openAddDialog,
  SUPPRESSIONS,
  withSuppressed,
} from './suppressions-steps.ts'
import { expectToast } from './toasts.ts'

const HELD = [{ address: 'ann@example.test', reason: 'manual' as const }]

const box = (page: Page) => addDialog(page).getByLabel('Addresses', { exact: true })

/** In the form itself, which the browser's own buttons leave as well. */
const asked = (page: Page, words: string) => addDialog(page).getByRole('alert').filter({ hasText: words })

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave these addresses?' })

const goBack = (page: Page) => page.evaluate(() => history.back())

const isReloadAsked = async (page: Page): Promise<void> => {
  const opened = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => window.location.reload()))
  await (await opened).dismiss()
}

/** By a link, so that there is a step back. */
async function openForm(page: Page): Promise<void> {
  await link(page, 'Suppression List').click()
  await openAddDialog(page)
}

describe('addresses that are not added yet', () => {
  it('are asked about by every way out, though their dialog is closed', async ({
    page,
    site,
    allowRefusal,
  }) => {
    for (const path of [...ASKED_ANYTIME, `${SUPPRESSIONS}?*`]) allowRefusal(path)
    const member = await withSuppressed(page, site, HELD, '/settings')
    await openForm(page)
    await box(page).fill('bob@example.test')
    await goBack(page)
    await asked(page, 'Discard what you have entered?').waitFor()
    expect(await isFocused(page, button(page, 'Keep editing'))).toBe(true)
    await page.keyboard.press('Escape')
    await eventually(() => isFocused(page, box(page))).toBe(true)
    await isReloadAsked(page)
    expect(await box(page).inputValue()).toBe('bob@example.test')
    expect(pathOf(page)).toBe('/suppressions')

    await page.keyboard.press('Escape')
    await addDialog(page).waitFor({ state: 'detached' })
    // By these nothing is lost.
    await addressSearch(page).fill('nobody')
    await page.getByRole('heading', { name: 'No matching addresses' }).waitFor()
    await button(page, 'Clear search and filter').click()
    await eventually(() => new URL(page.url()).search).toBe('')
    expect(await question(page).count()).toBe(0)
    await isReloadAsked(page)
    for (const leave of [button(page, 'Log out'), page.getByTestId('link-history')]) {
      await leave.click()
      await question(page).waitFor()
      expect(await isFocused(page, button(page, 'Stay Here'))).toBe(true)
      await page.keyboard.press('Enter')
      await question(page).waitFor({ state: 'detached' })
    }
    expect(pathOf(page)).toBe('/suppressions')

    await page.getByTestId('link-history').click()
    await button(page, 'Leave Without Adding').click()
    await heading(page, 'Email History').waitFor()
    await page.goBack()
    await openAddDialog(page)
    expect(await box(page).inputValue()).toBe('')
    await box(page).fill('eve@example.test')
    await site.db.deleteFrom('sessions').where('user_id', '=', member.userId).execute()
    await page
      .context()
      .newPage()
      .then((other) => other.goto('/'))
    await page.getByText('You are signed out').waitFor()
    expect(await box(page).inputValue()).toBe('eve@example.test')
  })

  it('are asked about while their file is still being read', { tags: 'thorough' }, async ({ page, site }) => {
    await withSuppressed(page, site, HELD, '/settings')
    await openForm(page)
    const answerDisk = await holdBackDisk(page)
    await chooseFiles(page, { 'left.csv': 'bob@example.test' })
    await button(page, 'Reading...').waitFor()
    await goBack(page)
    await asked(page, 'Discard what you have entered?').waitFor()
    await isReloadAsked(page)
    await button(page, 'Keep editing').click()
    await answerDisk()
    await addDialog(page).getByText('1 address from left.csv').waitFor()
    await goBack(page)
    await button(page, 'Discard').click()
    await heading(page, 'Settings').waitFor()
  })

  it('are asked about while they are being added, until they are', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const member = await withSuppressed(page, site, HELD, '/settings')
    await openForm(page)
    await box(page).fill('bob@example.test')
    const letThrough = await holdBack(page, SUPPRESSIONS)
    await box(page).press('Control+Enter')
    await button(page, 'Adding...').waitFor()
    await isReloadAsked(page)
    await goBack(page)
    await asked(page, 'If you leave now and that fails, they are lost.').waitFor()
    await letThrough()
    await heading(page, 'Settings').waitFor()
    await expectToast(page, 'Addresses Added')
    expect(await listOf(member)).toContain('bob@example.test')
  })

  it('though they were left on their way are told of when that fails', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SUPPRESSIONS)
    await withSuppressed(page, site, HELD, '/settings')
    await openForm(page)
    await box(page).fill('bob@example.test')
    await answerWith(page, SUPPRESSIONS, 503, 'The database cannot be reached')
    await holdForNext(page, SUPPRESSIONS)
    await box(page).press('Control+Enter')
    await goBack(page)
    await button(page, 'Leave').click()
    await heading(page, 'Settings').waitFor()
    letThrough(page)
    await expectToast(page, 'Failed to Add', '503: The database cannot be reached')
  })
})
