import { expect } from 'vitest'
import { axe } from './axe.ts'
import { journey as it } from './harness.ts'
import { row, withMails } from './inbox-steps.ts'
import { button, heading } from './steps.ts'

it('a screen that cannot be loaded says so in its place: what stands around it lives on, and it comes when it can', async ({
  page,
  site,
  allowAbsence,
}) => {
  await withMails(page, site, [{ subject: 'A question' }])
  await row(page, 'A question').waitFor()
  allowAbsence()
  await page.context().setOffline(true)
  await page.getByTestId('link-templates').click()
  await heading(page, 'This screen could not be loaded').waitFor()
  expect(await axe(page)).toEqual([])
  // Once more in vain; the keyboard stays where it was.
  await button(page, 'Try again').press('Enter')
  await page.getByText('Once there is a connection, load the page again').waitFor()

  await page.getByTestId('link-inbox').click()
  await row(page, 'A question').waitFor()
  await page.getByTestId('link-templates').click()
  await heading(page, 'This screen could not be loaded').waitFor()
  await page.context().setOffline(false)
  await button(page, 'Try again').click()
  await page.getByText('No Templates Yet').waitFor()
})
