import { describe, expect } from 'vitest'
import {
  addRecipients,
  chips,
  draftIn,
  message,
  openComposer,
  recipientInput,
  SEND,
  SENDER,
  saved,
  sendButton,
  sentBy,
  subjectsOf,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, field, holdBack, loseAnswers, pathOf } from './steps.ts'
import { stopClockFromNow } from './time.ts'
import { expectToast, keepToasts, toast } from './toasts.ts'

describe('an email', () => {
  it('goes to everybody, each for themselves, and the composer is empty afterwards', async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, {
      to: ['bob1@example.test', 'Eve <eve1@example.test>'],
      subject: 'Hello',
      body: 'How are you?',
    })
    const { body, key } = await sentBy(page, () => sendButton(page).click())
    expect(body).toMatchObject({
      recipients: ['bob1@example.test', 'Eve <eve1@example.test>'],
      subject: 'Hello',
      body: 'How are you?',
      senderName: SENDER.fromName,
      replyTo: SENDER.fromEmail,
    })
    expect(key).toMatch(/^[\x21-\x7e]{10,256}$/)
    await expectToast(page, 'Email Sent', 'Successfully sent to 2 recipient(s)')
    const mail = await site.mails.latest('bob1@example.test')
    expect(mail).toMatchObject({ subject: 'Hello' })
    expect(mail.from).toContain(SENDER.fromName)
    await site.mails.latest('eve1@example.test')

    await eventually(() => chips(page)).toEqual([])
    await eventually(() => field(page, 'Subject').inputValue()).toBe('')
    expect(await message(page).inputValue()).toBe('')
    await button(page, 'Change for this email').click()
    expect(await field(page, 'Sender Name').inputValue()).toBe('')
    expect(await field(page, 'Reply-To Email').inputValue()).toBe('')
    expect(await sendButton(page).isDisabled()).toBe(true)
    expect(await subjectsOf(writer)).toEqual(['Hello'])
  })

  it('is followed to its own page from the toast', { tags: 'thorough' }, async ({ page, site }) => {
    await keepToasts(page)
    const writer = await openComposer(page, site)
    await write(page)
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await toast(page).getByRole('link', { name: 'View progress' }).click()
    const [campaign] = (await writer.client.get('/api/email-history')).json() as { id: string }[]
    await eventually(() => pathOf(page)).toBe(`/history/${campaign?.id}`)
  })

  it('can be sent with a recipient and a subject, and only then; a body is not needed', async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    expect(await sendButton(page).isDisabled()).toBe(true)
    await field(page, 'Subject').fill('Only a subject')
    expect(await sendButton(page).isDisabled()).toBe(true)
    await addRecipients(page, 'bob2@example.test')
    expect(await sendButton(page).isEnabled()).toBe(true)
    await field(page, 'Subject').fill('')
    expect(await sendButton(page).isDisabled()).toBe(true)
    await field(page, 'Subject').fill('Only a subject')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent', 'Successfully sent to 1 recipient(s)')
  })

  it('is sent by Ctrl and Enter from the message', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await write(page)
    await message(page).press('Control+Enter')
    await expectToast(page, 'Email Sent')
  })

  it('is sent once, whoever clicks twice; and says Sending... meanwhile', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Once' })
    await saved(page)
    const letThrough = await holdBack(page, SEND)
    await sendButton(page).evaluate((element) => {
      ;(element as HTMLButtonElement).click()
      ;(element as HTMLButtonElement).click()
    })
    await button(page, 'Sending...').waitFor()
    expect(await sendButton(page).isDisabled()).toBe(true)
    expect(await field(page, 'Subject').isEditable()).toBe(false)
    await letThrough()
    await expectToast(page, 'Email Sent')
    expect(await subjectsOf(writer)).toEqual(['Once'])
  })

  it('is sent once when the answer was lost and it is sent again', async ({ page, site, expectRefusal }) => {
    expectRefusal(SEND)
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Lost answer' })
    await saved(page)
    await loseAnswers(page, SEND)
    const first = await sentBy(page, () => sendButton(page).click())
    await expectToast(
      page,
      'Failed to Send',
      'Postrider cannot be reached. Check your connection and try again.',
    )
    expect(await chips(page)).toEqual(['bob@example.test'])
    expect(await message(page).inputValue()).toBe('How are you?')
    await page.unroute(`**${SEND}`)
    const second = await sentBy(page, () => sendButton(page).click())
    expect(second).toEqual(first)
    await expectToast(page, 'Email Sent', 'Successfully sent to 1 recipient(s)')
    expect(await subjectsOf(writer)).toEqual(['Lost answer'])
  })

  it('is sent once when the page is reloaded in the middle, which then says where to look', async ({
    page,
    site,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Reloaded' })
    await saved(page)
    expectRefusal(`/api/drafts/${draftIn(page)}`)
    await page.route(`**${SEND}`, async (route) => {
      await route.fetch()
      // The answer never comes.
    })
    await sendButton(page).click()
    await eventually(() => subjectsOf(writer)).toEqual(['Reloaded'])
    await page.reload()
    await page.getByText('It was sent or deleted; History shows which.').waitFor()
    expect(await chips(page)).toEqual([])
    expect(await subjectsOf(writer)).toEqual(['Reloaded'])
  })

  it('is sent once when it had not arrived before the reload, and is sent again', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const writer = await openComposer(page, site)
    // Time stands still: it is saved before it is sent, however long that takes.
    await stopClockFromNow(page)
    await write(page, { subject: 'Not arrived' })
    let isFirst = true
    await page.route(`**${SEND}`, async (route) => {
      if (!isFirst) return route.continue()
      // Never passed on.
      isFirst = false
    })
    const first = await sentBy(page, () => sendButton(page).click())
    await eventually(() => draftIn(page) !== '').toBe(true)
    await page.clock.resume()
    await page.reload()
    await eventually(() => chips(page)).toEqual(['bob@example.test'])
    const second = await sentBy(page, () => sendButton(page).click())
    expect(second).toEqual(first)
    await expectToast(page, 'Email Sent')
    expect(await subjectsOf(writer)).toEqual(['Not arrived'])
  })

  it('is sent once without a connection, from two tabs at once, and after going back, which tells the truth (R31)', async ({
    page,
    site,
    context,
    allowAbsence,
  }) => {
    // Whatever the two pages ask for while the connection is gone.
    allowAbsence()
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Two tabs' })
    await saved(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => chips(other)).toEqual(['bob@example.test'])
    await context.setOffline(true)
    await sendButton(page).click()
    await expectToast(page, 'Failed to Send')
    expect(await subjectsOf(writer)).toEqual([])
    await context.setOffline(false)
    // Under way in the one while the other sends it: otherwise that would know and offer nothing to press.
    const release = await holdBack(other, SEND)
    await sendButton(other).click()
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await release()
    await expectToast(other, 'Email Sent')
    await page.getByTestId('link-history').click()
    await page.getByText('Two tabs').first().waitFor()
    await page.goBack()
    await recipientInput(page).waitFor()
    expect(await chips(page)).toEqual([])
    expect(await subjectsOf(writer)).toEqual(['Two tabs'])
  })

  it('is sent twice when the same words are written twice', { tags: 'thorough' }, async ({ page, site }) => {
    const writer = await openComposer(page, site)
    for (const count of [1, 2]) {
      await write(page, { subject: 'Again' })
      await sendButton(page).click()
      await eventually(async () => (await subjectsOf(writer)).length).toBe(count)
      await eventually(() => chips(page)).toEqual([])
    }
  })

  it('leaves the keyboard at the recipients, for the next one', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    await write(page)
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await eventually(() => recipientInput(page).and(page.locator(':focus')).count()).toBe(1)
  })
})
