import { describe, expect } from 'vitest'
import { chooseFiles } from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { holdBack, holdBackDisk, isFocused, screen } from './steps.ts'
import {
  addDialog,
  addresses,
  listOf,
  openAddDialog,
  SUPPRESSIONS,
  withSuppressed,
} from './suppressions-steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

describe('adding addresses', () => {
  it('takes them with commas, semicolons and lines, and says what was new', async ({ page, site }) => {
    const member = await withSuppressed(page, site, [{ address: 'ann@example.test', reason: 'manual' }])
    await eventually(() => addresses(page)).toEqual(['ann@example.test'])
    const dialog = await openAddDialog(page)
    await dialog
      .getByLabel('Addresses', { exact: true })
      .fill('bob@example.test, Carla <carla@example.test>;\nANN@example.test')
    await dialog.getByRole('button', { name: 'Add Addresses' }).click()
    await expectToast(
      page,
      'Addresses Added',
      '2 addresses added to the suppression list. 1 was on the list already.',
    )
    await addDialog(page).waitFor({ state: 'hidden' })
    await eventually(async () => (await addresses(page)).length).toBe(3)
    expect(new Set(await listOf(member))).toEqual(
      new Set(['ann@example.test', 'bob@example.test', 'carla@example.test']),
    )
  })

  it('leaves the keyboard on the screen when the first ones take the empty list away', async ({
    page,
    site,
  }) => {
    await withSuppressed(page, site)
    const dialog = await openAddDialog(page)
    await dialog.getByLabel('Addresses', { exact: true }).fill('bob@example.test')
    await dialog.getByRole('button', { name: 'Add Addresses' }).click()
    await eventually(() => addresses(page)).toEqual(['bob@example.test'])
    await eventually(() => isFocused(page, screen(page))).toBe(true)
  })

  it('takes a file, whose address column is found', { tags: 'thorough' }, async ({ page, site }) => {
    await withSuppressed(page, site)
    const dialog = await openAddDialog(page)
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Add from a file' }).click(),
    ])
    await chooser.setFiles({
      name: 'left.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name;E-Mail\nAnn;ann@example.test\nBob;\nEve;eve@example.test\n'),
    })
    await dialog.getByText('2 addresses from left.csv · 1 row without an address').waitFor()
    await dialog.getByRole('button', { name: 'Add Addresses' }).click()
    await expectToast(page, 'Addresses Added', '2 addresses added to the suppression list.')
    await eventually(async () => (await addresses(page)).sort()).toEqual([
      'ann@example.test',
      'eve@example.test',
    ])
  })

  it('waits for a file that is still being read', { tags: 'thorough' }, async ({ page, site }) => {
    const member = await withSuppressed(page, site)
    const dialog = await openAddDialog(page)
    const box = dialog.getByLabel('Addresses', { exact: true })
    await box.fill('ann@example.test')
    const answerDisk = await holdBackDisk(page)
    await chooseFiles(page, { 'left.csv': 'bob@example.test\neve@example.test' })
    await dialog.getByRole('button', { name: 'Reading...' }).waitFor()
    await box.press('Control+Enter')
    await answerDisk()
    await dialog.getByText('2 addresses from left.csv').waitFor()
    await box.press('Control+Enter')
    await expectToast(page, 'Addresses Added', '3 addresses added to the suppression list.')
    expect(await listOf(member)).toHaveLength(3)
  })

  it('takes no file that comes while others are added', { tags: 'thorough' }, async ({ page, site }) => {
    await withSuppressed(page, site)
    const dialog = await openAddDialog(page)
    const box = dialog.getByLabel('Addresses', { exact: true })
    await box.fill('ann@example.test')
    const letThrough = await holdBack(page, SUPPRESSIONS)
    await box.press('Control+Enter')
    await dialog.getByRole('button', { name: 'Adding...' }).waitFor()
    const isPageKept = await box.evaluate(async (area) => {
      const late = new File(['late@example.test'], 'late.csv', { type: 'text/csv' })
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(late)
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      const isLeft = area.dispatchEvent(drop)
      // As long as the page would need for it.
      await late.arrayBuffer()
      return !isLeft
    })
    await nextFrames(page)
    expect(isPageKept).toBe(true)
    expect(await dialog.getByText('late.csv').count()).toBe(0)
    await letThrough()
    await expectToast(page, 'Addresses Added')
  })

  it('names each file that cannot be taken', { tags: 'thorough' }, async ({ page, site }) => {
    await withSuppressed(page, site)
    const dialog = await openAddDialog(page)
    await chooseFiles(page, { 'empty.csv': '\n', 'left.csv': 'bob@example.test', 'blank.txt': ' ' })
    await dialog.getByText('1 address from left.csv').waitFor()
    const wrong = dialog.getByRole('alert')
    await eventually(() => wrong.innerText()).toBe(
      'There is no address in empty.csv. There is no address in blank.txt.',
    )
  })

  it('shows the server’s sentence for a bad one, and keeps what was typed', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SUPPRESSIONS)
    const member = await withSuppressed(page, site)
    const dialog = await openAddDialog(page)
    const box = dialog.getByLabel('Addresses', { exact: true })
    await dialog.getByRole('button', { name: 'Add Addresses' }).click()
    // Said too, for the keyboard stays where it is.
    await dialog
      .getByRole('alert')
      .filter({ hasText: 'Please enter at least one address, or choose a file.' })
      .waitFor()
    await box.fill('bob@example.test\nnot an address')
    await box.press('Control+Enter')
    await dialog.getByText(/^400: .*not an address/).waitFor()
    expect(await box.inputValue()).toBe('bob@example.test\nnot an address')
    expect(await listOf(member)).toEqual([])
    // As long as it is being added, nothing closes the dialog.
    await dialog.getByRole('button', { name: 'Add Addresses' }).waitFor()
    await page.keyboard.press('Escape')
    await addDialog(page).waitFor({ state: 'hidden' })
    await openAddDialog(page)
    expect(await box.inputValue()).toBe('bob@example.test\nnot an address')
  })
})
