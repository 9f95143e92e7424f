import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  chips,
  chooseFiles,
  DRAFTS,
  draftIn,
  draftsOf,
  leaveResend,
  message,
  openComposer,
  SEND,
  saved,
  sendButton,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { answerWith, button, field, heading, holdBack, holdBackDisk, pathOf } from './steps.ts'
import { expectToast } from './toasts.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave this email?' })

describe('leaving an email that is not saved', () => {
  it('is asked about, also where it is resent and has no draft yet', async ({ page, site }) => {
    await leaveResend(page, { recipients: ['bob@example.test'], subject: 'Once more', body: 'As before' })
    await openComposer(page, site)
    await expectToast(page, 'Ready to Resend')
    const letThrough = await holdBack(page, `${DRAFTS}/*`)
    await message(page).fill('Not as before')
    for (const way of ['link-history', 'link-compose']) {
      await page.getByTestId(way).click()
      await question(page).waitFor()
      await button(page, 'Keep Editing').click()
      expect(await message(page).inputValue()).toBe('Not as before')
      expect(pathOf(page)).toBe('/compose')
    }
    await page.getByTestId('link-compose').click()
    await button(page, 'Leave Without Saving').click()
    await eventually(() => message(page).inputValue()).toBe('')
    await letThrough()
  })

  it('is asked about while a list of recipients is still being read', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    const answerDisk = await holdBackDisk(page)
    await chooseFiles(page, { 'left.csv': 'bob@example.test\neve@example.test' })
    await page.getByText('Reading the list…').first().waitFor()
    await page.getByTestId('link-history').click()
    await question(page).waitFor()
    await button(page, 'Keep Editing').click()
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => window.location.reload()))
    await (await asked).dismiss()
    await page.getByTestId('link-history').click()
    await question(page).waitFor()
    // Once it is read and saved there is nothing to ask any more.
    await answerDisk()
    await heading(page, 'Email History').waitFor()
    expect(await draftsOf(writer)).toMatchObject([{ recipientCount: 2 }])
  })
})

describe('a list of recipients that is being read', () => {
  it('is kept when another tab saves the draft', { tags: 'thorough' }, async ({
    page,
    site,
    context,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { to: ['ann@example.test'], subject: 'News' })
    await saved(page)
    // Changed elsewhere.
    expectRefusal(`${DRAFTS}/${draftIn(page)}`)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => field(other, 'Subject').inputValue()).toBe('News')
    const answerDisk = await holdBackDisk(page)
    await chooseFiles(page, { 'left.csv': 'bob@example.test\neve@example.test' })
    await page.getByText('Reading the list…').first().waitFor()
    await field(other, 'Subject').fill('Other news')
    await saved(other)
    await answerDisk()
    await expectToast(page, 'Kept as Another Draft')
    expect(await chips(page)).toEqual(['ann@example.test', 'bob@example.test', 'eve@example.test'])
    await eventually(async () => (await draftsOf(writer)).map(({ subject }) => subject).sort()).toEqual([
      'News',
      'Other news',
    ])
  })
})

describe('a file of recipients that brings nobody new', () => {
  it('leaves the form to follow what another tab saved meanwhile', { tags: 'thorough' }, async ({
    page,
    site,
    context,
  }) => {
    await openComposer(page, site)
    await write(page, { to: ['ann@example.test'], subject: 'News' })
    await saved(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => field(other, 'Subject').inputValue()).toBe('News')
    const answerDisk = await holdBackDisk(page)
    await chooseFiles(page, { 'same.csv': 'ann@example.test' })
    await page.getByText('Reading the list…').first().waitFor()
    await field(other, 'Subject').fill('Other news')
    await saved(other)
    await answerDisk()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Other news')
    expect(await chips(page)).toEqual(['ann@example.test'])
  })
})

describe('a draft that somebody returns to while it is being sent', () => {
  it('is no longer called perhaps sent once the server has refused it', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    await openComposer(page, site)
    await write(page, { to: ['bob@example.test', 'ann@'] })
    await saved(page)
    const letThrough = await holdBack(page, SEND)
    await sendButton(page).click()
    await button(page, 'Sending...').waitFor()
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    await page.goBack()
    await page.getByText('No answer has arrived.').waitFor()
    await letThrough()
    await expectToast(page, 'Failed to Send')
    await page.getByText('No answer has arrived.').waitFor({ state: 'detached' })
    expect(await page.getByText('may have been sent').count()).toBe(0)
    expect(await field(page, 'Subject').inputValue()).toBe('News')
  })

  it('is called perhaps sent when a later try has no answer, whatever the server says of an earlier one', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(SEND)
    await openComposer(page, site)
    await write(page, { to: ['bob@example.test', 'ann@'] })
    await saved(page)
    const letThrough = await holdBack(page, SEND)
    await sendButton(page).click()
    await button(page, 'Sending...').waitFor()
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    await page.goBack()
    await button(page, 'Remove ann@').click()
    await answerWith(page, SEND, 504, 'No answer in time')
    await sendButton(page).click()
    await page.getByText('No answer has arrived.').waitFor()
    await expectToast(page, 'Failed to Send', '504: No answer in time')
    const refused = page.waitForResponse((response) => response.status() === 400)
    await letThrough()
    await refused
    await expectToast(page, 'Failed to Send', '400: "ann@" is not a valid e-mail address')
    expect(await page.getByText('No answer has arrived.').count()).toBe(1)
  })
})
