import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  bodyOf,
  chips,
  DRAFTS,
  draftIn,
  draftsOf,
  message,
  openComposer,
  SEND,
  saved,
  sendButton,
  sentBy,
  subjectsOf,
  type Writer,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, field, heading, holdBack } from './steps.ts'
import { expectToast } from './toasts.ts'

const UNKNOWN = 'It is not known whether this email was sent'
const SENT_BEFORE = 'This email was sent before you changed it'

async function leaveAndReturn(page: Page): Promise<void> {
  await page.getByTestId('link-history').click()
  await heading(page, 'Email History').waitFor()
  await page.goBack()
  await message(page).waitFor()
}

/** At the draft of an email that is on its way to the server until it is let through. */
async function returnDuringSend(page: Page): Promise<() => Promise<void>> {
  await write(page, { subject: 'Helo' })
  await saved(page)
  const letThrough = await holdBack(page, SEND)
  await sendButton(page).click()
  await button(page, 'Sending...').waitFor()
  await leaveAndReturn(page)
  await eventually(() => field(page, 'Subject').inputValue()).toBe('Helo')
  await page.getByText(UNKNOWN).waitFor()
  await page.getByText('No answer has arrived.').waitFor()
  return letThrough
}

/** What was changed is here, is the one draft there is, and goes out beside what was sent only if somebody says so. */
async function expectAnotherEmail(page: Page, writer: Writer, sent: string): Promise<void> {
  await page.getByText(SENT_BEFORE).waitFor()
  expect(await page.getByText(UNKNOWN).count()).toBe(0)
  expect(await field(page, 'Subject').inputValue()).toBe('Hello')
  await eventually(async () => (await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['Hello'])
  await eventually(() => ['', sent].includes(draftIn(page))).toBe(false)
  await sendButton(page).click()
  await page.getByRole('dialog', { name: 'Send a second email?' }).waitFor()
  await button(page, 'Keep Editing').click()
  expect(await subjectsOf(writer)).toEqual(['Helo'])
}

describe('a draft that somebody returns to while it is being sent', () => {
  it('is asked about before it is sent a second time, when it is being changed as the answer comes', async ({
    page,
    site,
    allowRefusal,
  }) => {
    const writer = await openComposer(page, site)
    const letThrough = await returnDuringSend(page)
    const sent = draftIn(page)
    // Deleted once more, unless it was saved again after it was sent.
    allowRefusal(`${DRAFTS}/${sent}`)
    const letSave = await holdBack(page, `${DRAFTS}/*`)
    await field(page, 'Subject').fill('Hello')
    await letThrough()
    await expectToast(page, 'Email Sent')
    await page.getByText(SENT_BEFORE).waitFor()
    await letSave()
    await expectAnotherEmail(page, writer, sent)
    // Another look at it knows that too.
    await leaveAndReturn(page)
    await expectAnotherEmail(page, writer, sent)
    await sendButton(page).click()
    await button(page, 'Send Second Email').click()
    await eventually(() => subjectsOf(writer)).toEqual(['Hello', 'Helo'])
    await eventually(() => draftsOf(writer)).toEqual([])
  })

  it('keeps what was changed in it, although that was saved in the draft that went with the send', {
    tags: 'thorough',
  }, async ({ page, site, allowRefusal }) => {
    const writer = await openComposer(page, site)
    const letThrough = await returnDuringSend(page)
    const sent = draftIn(page)
    allowRefusal(`${DRAFTS}/${sent}`)
    await field(page, 'Subject').fill('Hello')
    await saved(page)
    await letThrough()
    await expectToast(page, 'Email Sent')
    await expectAnotherEmail(page, writer, sent)
  })

  it('leaves an empty sheet when nothing was changed in it', { tags: 'thorough' }, async ({ page, site }) => {
    const writer = await openComposer(page, site)
    const letThrough = await returnDuringSend(page)
    await letThrough()
    await expectToast(page, 'Email Sent')
    await page.getByText('This draft is no longer there').waitFor()
    await eventually(() => chips(page)).toEqual([])
    expect(await subjectsOf(writer)).toEqual(['Helo'])
    expect(await draftsOf(writer)).toEqual([])
  })

  it('in another tab is asked about there, although that became another draft before the answer came', {
    tags: 'thorough',
  }, async ({ page, site, context, expectRefusal }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Helo' })
    await saved(page)
    const sent = draftIn(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => field(other, 'Subject').inputValue()).toBe('Helo')
    const letSave = await holdBack(other, `${DRAFTS}/*`)
    await field(other, 'Subject').fill('Hello')
    await message(page).fill('How are you today?')
    const letThrough = await holdBack(page, SEND)
    await sendButton(page).click()
    await button(page, 'Sending...').waitFor()
    await eventually(() => bodyOf(writer, sent)).toBe('How are you today?')
    expectRefusal(`${DRAFTS}/${sent}`)
    await letSave()
    await expectToast(other, 'Kept as Another Draft')
    await letThrough()
    await expectToast(page, 'Email Sent')
    await expectAnotherEmail(other, writer, sent)
  })

  it('in another tab is asked about there, where it was being changed', { tags: 'thorough' }, async ({
    page,
    site,
    context,
    allowRefusal,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Helo' })
    await saved(page)
    const sent = draftIn(page)
    allowRefusal(`${DRAFTS}/${sent}`)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => field(other, 'Subject').inputValue()).toBe('Helo')
    const letSave = await holdBack(other, `${DRAFTS}/*`)
    await field(other, 'Subject').fill('Hello')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await other.getByText(SENT_BEFORE).waitFor()
    await letSave()
    await expectAnotherEmail(other, writer, sent)
  })
})

it('an email that another tab changes while it is being sent keeps its key, and follows afterwards', {
  tags: 'thorough',
}, async ({ page, site, context, expectRefusal }) => {
  const writer = await openComposer(page, site)
  await write(page, { subject: 'News', body: 'one' })
  await saved(page)
  const other = await context.newPage()
  await other.goto(page.url())
  await eventually(() => message(other).inputValue()).toBe('one')
  expectRefusal(SEND)
  const { promise: gate, resolve: refuse } = Promise.withResolvers<void>()
  await page.route(`**${SEND}`, async (route) => {
    await gate
    await route.fulfill({ status: 504, body: 'Gateway Timeout', contentType: 'text/plain' })
  })
  const first = await sentBy(page, () => sendButton(page).click())
  await message(other).fill('one and two')
  await saved(other)
  expect(await message(page).inputValue()).toBe('one')
  refuse()
  await expectToast(page, 'Failed to Send')
  await page.unroute(`**${SEND}`)
  await eventually(() => message(page).inputValue()).toBe('one and two')
  const second = await sentBy(page, () => sendButton(page).click())
  expect(second.key).toBe(first.key)
  expect(second.body).toMatchObject({ body: 'one and two' })
  await expectToast(page, 'Email Sent')
  expect(await subjectsOf(writer)).toEqual(['News'])
})
