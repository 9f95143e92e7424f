import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  chips,
  DRAFTS,
  draftIn,
  draftsButton,
  draftsOf,
  listedDrafts,
  message,
  openComposer,
  recipientInput,
  SEND,
  saved,
  sendButton,
  sentBy,
  subjectsOf,
  type Writer,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import type { Site } from './site.ts'
import { answerWith, button, clickAgain, field, isFocused, loseAnswers } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const UNKNOWN = 'It is not known whether this email was sent'
const SENT_BEFORE = 'This email was sent before you changed it'
const MAY_BE_SENT = 'It may have been sent all the same. Sending it again sends it once.'

/** Sent as "Helo", whose answer was lost, and changed to "Hello" since. */
async function changedUnanswered(page: Page, site: Site): Promise<Writer> {
  const writer = await openComposer(page, site)
  await write(page, { subject: 'Helo' })
  await loseAnswers(page, SEND)
  await sendButton(page).click()
  await page.getByText(UNKNOWN).waitFor()
  await page.unroute(`**${SEND}`)
  await field(page, 'Subject').fill('Hello')
  return writer
}

describe('an email whose answer was lost', () => {
  it('is sent once although it is changed before it is sent again, and the page tells the truth all the time', async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Helo', body: 'Dear all' })
    await loseAnswers(page, SEND)
    const first = await sentBy(page, () => sendButton(page).click())
    const toast = await expectToast(page, 'Failed to Send')
    expect(toast).toContain(MAY_BE_SENT)
    await page.getByText(UNKNOWN).waitFor()
    await page.getByText('To 1 person · may have been sent').waitFor()
    await page.unroute(`**${SEND}`)

    await field(page, 'Subject').fill('Hello')
    await saved(page)
    const sent = draftIn(page)
    await page.reload()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Hello')
    await page.getByText(UNKNOWN).waitFor()

    const second = await sentBy(page, () => sendButton(page).click())
    expect(second.key).toBe(first.key)
    await page.getByText(SENT_BEFORE).waitFor()
    await page.getByText('To 1 person · an earlier version was sent').waitFor()
    expect(await page.getByText(UNKNOWN).count()).toBe(0)
    expect(await chips(page)).toEqual(['bob@example.test'])
    expect(await subjectsOf(writer)).toEqual(['Helo'])

    // What is sent now is another email, and meant to be; the draft of the first is gone.
    await eventually(async () => (await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Hello'])
    await eventually(() => ['', sent].includes(draftIn(page))).toBe(false)
    await sendButton(page).click()
    await button(page, 'Send Second Email').click()
    await expectToast(page, 'Email Sent')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await eventually(() => isFocused(page, recipientInput(page))).toBe(true)
    expect(await subjectsOf(writer)).toEqual(['Hello', 'Helo'])
    await eventually(() => page.getByText(SENT_BEFORE).count()).toBe(0)
    await eventually(() => draftsOf(writer)).toEqual([])
  })

  it('is asked about in any other tab too where what it became goes on', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    const writer = await changedUnanswered(page, site)
    await sendButton(page).click()
    await page.getByText(SENT_BEFORE).waitFor()
    await eventually(async () => (await draftsOf(writer)).map(({ id }) => id).join() === draftIn(page)).toBe(
      true,
    )
    const address = page.url()
    const context = page.context()
    await page.close()

    const other = await context.newPage()
    await other.goto('/compose')
    await draftsButton(other).click()
    await eventually(() => listedDrafts(other)).toEqual([
      'Hello\nAn earlier version was sent\n1 recipient · just now',
    ])
    await other.goto(address)
    await other.getByText(SENT_BEFORE).waitFor()
    await eventually(() => chips(other)).toEqual(['bob@example.test'])
    await sendButton(other).click()
    await button(other, 'Send Second Email').click()
    await expectToast(other, 'Email Sent')
    expect(await subjectsOf(writer)).toEqual(['Hello', 'Helo'])
    expect(await other.evaluate(() => localStorage.getItem('send-doubts'))).toBe('{}')
  })

  it('is not sent a second time by one press too many', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    const writer = await changedUnanswered(page, site)
    await page.keyboard.down('Control')
    await page.keyboard.down('Enter')
    await page.getByText(SENT_BEFORE).waitFor()
    // The keys are still held.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.up('Control')
    await clickAgain(sendButton(page))
    await nextFrames(page)
    const question = page.getByRole('dialog', { name: 'Send a second email?' })
    expect(await question.count()).toBe(0)
    // Another press is asked about, for a person may not have read what happened to the one before.
    await field(page, 'Subject').press('Control+Enter')
    await question.getByText('If you send this one too, everybody above gets a second email.').waitFor()
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'hidden' })
    expect(await field(page, 'Subject').inputValue()).toBe('Hello')
    expect(await subjectsOf(writer)).toEqual(['Helo'])
  })

  it('is looked up in the History after a reload that finds its draft gone', { tags: 'thorough' }, async ({
    page,
    site,
    allowRefusal,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Gone out' })
    await saved(page)
    allowRefusal(`${DRAFTS}/${draftIn(page)}`)
    await loseAnswers(page, SEND)
    await sendButton(page).click()
    await page.getByText(UNKNOWN).waitFor()
    await page.reload()
    await page.getByText('It was sent or deleted; History shows which.').waitFor()
    expect(await page.getByText(UNKNOWN).count()).toBe(0)
    expect(await subjectsOf(writer)).toEqual(['Gone out'])
  })

  it('is not called sent when it never arrived and its draft was deleted elsewhere', {
    tags: 'thorough',
  }, async ({ page, site, allowRefusal, expectRefusal }) => {
    expectRefusal(SEND)
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Never sent' })
    await saved(page)
    const path = `${DRAFTS}/${draftIn(page)}`
    allowRefusal(path)
    await answerWith(page, SEND, 504, 'Gateway Timeout')
    await sendButton(page).click()
    await page.getByText(UNKNOWN).waitFor()
    await writer.client.send({ method: 'DELETE', path, headers: { origin: site.origin } })
    await page.reload()
    await page.getByText('This draft is no longer there').waitFor()
    expect(await page.getByText('was sent once').count()).toBe(0)
    expect(await subjectsOf(writer)).toEqual([])
  })

  it('is known once it is sent again, not by a refusal of something else', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(SEND)
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Behind a proxy' })
    await answerWith(page, SEND, 504, 'Gateway Timeout')
    await sendButton(page).click()
    await expectToast(page, 'Failed to Send', '504: Gateway Timeout', MAY_BE_SENT)
    await page.unroute(`**${SEND}`)
    await answerWith(page, SEND, 400, 'The message is too long')
    await sendButton(page).click()
    await expectToast(page, 'Failed to Send', '400: The message is too long', MAY_BE_SENT)
    await page.getByText(UNKNOWN).waitFor()
    await page.unroute(`**${SEND}`)
    await message(page).fill('Shorter')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await eventually(() => page.getByText(UNKNOWN).count()).toBe(0)
    expect(await subjectsOf(writer)).toEqual(['Behind a proxy'])
  })
})
