import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  addRecipients,
  aWriter,
  chips,
  DRAFTS,
  draftsButton,
  leaveResend,
  message,
  openComposer,
  openTemplate,
  recipientInput,
  SEND,
  saved,
  sendButton,
  sentBy,
  storeTemplate,
  TEMPLATES,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import type { World } from './state.ts'
import { answerWith, button, field, holdBack, isFocused, screen, tryAgain } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

const resendEntry = (page: Page): Promise<string | null> =>
  page.evaluate(() => sessionStorage.getItem('resend-email'))

describe('a template', () => {
  it('fills subject and message, goes along with the mail and its draft, and counts as used', async ({
    page,
    site,
  }) => {
    const { writer, id } = await openTemplate(page, site)
    expect(await message(page).inputValue()).toBe('Please find it below.')
    await addRecipients(page, 'bob@example.test')
    await saved(page)
    await page.goto('/compose')
    await draftsButton(page).click()
    await page.getByRole('link', { name: /^Your invoice/ }).click()
    await eventually(() => message(page).inputValue()).toBe('Please find it below.')
    const { body } = await sentBy(page, () => sendButton(page).click())
    expect(body).toMatchObject({ templateId: id, subject: 'Your invoice' })
    await expectToast(page, 'Email Sent')
    expect((await writer.client.get(`${TEMPLATES}/${id}`)).json()).toMatchObject({ usageCount: 1 })
    await eventually(() => new URL(page.url()).pathname).toBe('/compose')
    await eventually(() => field(page, 'Subject').inputValue()).toBe('')
  })

  it('that is only looked at becomes no draft', { tags: 'thorough' }, async ({ page, site }) => {
    const { writer } = await openTemplate(page, site)
    await page.waitForTimeout(1_500)
    expect((await writer.client.get(DRAFTS)).json()).toEqual([])
  })

  it('that cannot be fetched says so, and is fetched by trying again', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const writer = await aWriter(site)
    const id = await storeTemplate(writer)
    expectRefusal(`${TEMPLATES}/${id}`)
    await answerWith(page, `${TEMPLATES}/${id}`, 503, 'The database cannot be reached')
    await writer.signIn(page.context())
    await page.goto(`/compose/${id}`)
    await page.getByText('Failed to fetch template').waitFor()
    await tryAgain(page, `${TEMPLATES}/${id}`)
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Your invoice')
    expect(await page.getByText('Failed to fetch template').count()).toBe(0)
    expect(await isFocused(page, screen(page))).toBe(true)
  })

  it('that is deleted once it has filled the letter is no failure of the letter', {
    tags: 'thorough',
  }, async ({ page, site, allowRefusal }) => {
    const { writer, id } = await openTemplate(page, site)
    const path = `${TEMPLATES}/${id}`
    allowRefusal(path)
    await writer.client.send({ method: 'DELETE', path, headers: { origin: site.origin } })
    const readAgain = page.waitForResponse((response) => new URL(response.url()).pathname === path)
    await button(page, 'Save as Template').click()
    await field(page, 'Template Name').fill('Another')
    await button(page, 'Save Template').click()
    await expectToast(page, 'Template Saved')
    expect((await readAgain).status()).toBe(404)
    await nextFrames(page)
    expect(await page.getByText('Failed to fetch template').count()).toBe(0)
  })

  it('is made of a subject and a message, and of nothing less', async ({ page, site }) => {
    await openComposer(page, site)
    await field(page, 'Subject').fill('Only a subject')
    await button(page, 'Save as Template').click()
    await expectToast(page, 'Cannot Save Template', 'Please add a subject and body first')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('needs a name, says Saving... and is saved; the dialog closes and forgets the name', async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Autumn', body: 'Leaves' })
    await button(page, 'Save as Template').click()
    const dialog = page.getByRole('dialog', { name: 'Save as Template' })
    await dialog.getByRole('button', { name: 'Save Template' }).click()
    await expectToast(page, 'Template Name Required', 'Please enter a name for your template')
    await field(page, 'Template Name').fill('Autumn letter')
    const letThrough = await holdBack(page, TEMPLATES)
    await field(page, 'Template Name').press('Enter')
    await button(page, 'Saving...').waitFor()
    await letThrough()
    await expectToast(page, 'Template Saved', 'Email template has been saved successfully.')
    await dialog.waitFor({ state: 'detached' })
    expect((await writer.client.get(TEMPLATES)).json()).toMatchObject([
      { name: 'Autumn letter', subject: 'Autumn', body: 'Leaves' },
    ])
    await button(page, 'Save as Template').click()
    expect(await field(page, 'Template Name').inputValue()).toBe('')
  })

  it('that cannot be saved says so and keeps the dialog', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(TEMPLATES)
    await openComposer(page, site)
    await write(page)
    await answerWith(page, TEMPLATES, 503, 'The database cannot be reached')
    await button(page, 'Save as Template').click()
    await field(page, 'Template Name').fill('Autumn letter')
    await button(page, 'Save Template').click()
    await expectToast(page, 'Failed to Save', 'There was an error saving your template')
    expect(await field(page, 'Template Name').inputValue()).toBe('Autumn letter')
  })
})

describe('an email to resend', () => {
  const ENTRY = {
    recipients: ['bob@example.test', 'Eve <eve@example.test>'],
    subject: 'Once more',
    body: 'As before',
    senderName: 'Annie',
    replyTo: 'annie@example.test',
  }

  const NOT_LOADED = 'The recipients could not be loaded'

  /** Whose recipients were asked for while the database was away. */
  async function openResendWithoutList({
    page,
    site,
    expectRefusal,
  }: Pick<World, 'page' | 'site' | 'expectRefusal'>) {
    const writer = await aWriter(site)
    const letter = { recipients: ['bob@example.test'], subject: 'Long', body: '' }
    const { id } = (await writer.client.post(SEND, letter)).json() as { id: string }
    const path = `/api/email-history/${id}/recipients`
    expectRefusal(path)
    await answerWith(page, path, 503, 'The database cannot be reached')
    await leaveResend(page, { ...ENTRY, campaignId: id })
    await writer.signIn(page.context())
    await page.goto('/compose')
    await page.getByText(NOT_LOADED).waitFor()
    return { writer, path }
  }

  it('is taken over whole, once, and said so', async ({ page, site }) => {
    await leaveResend(page, ENTRY)
    await openComposer(page, site)
    await expectToast(page, 'Ready to Resend', 'Email loaded with 2 recipient(s)')
    expect(await chips(page)).toEqual(ENTRY.recipients)
    expect(await field(page, 'Subject').inputValue()).toBe('Once more')
    expect(await message(page).inputValue()).toBe('As before')
    await button(page, 'Change for this email').click()
    expect(await field(page, 'Sender Name').inputValue()).toBe('Annie')
    expect(await field(page, 'Reply-To Email').inputValue()).toBe('annie@example.test')
    expect(await resendEntry(page)).toBe(null)
    await page.getByTestId('link-compose').click()
    await eventually(() => chips(page)).toEqual([])
    expect(await field(page, 'Subject').inputValue()).toBe('')
  })

  it('that is only looked at becomes no draft; one that is sent is kept until it is', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    await leaveResend(page, ENTRY)
    const writer = await openComposer(page, site)
    await expectToast(page, 'Ready to Resend')
    await page.waitForTimeout(1_500)
    expect((await writer.client.get(DRAFTS)).json()).toEqual([])
    const letThrough = await holdBack(page, SEND)
    await sendButton(page).click()
    await eventually(async () => (await writer.client.get(DRAFTS)).json()).toMatchObject([
      { subject: 'Once more', recipientCount: 2 },
    ])
    await letThrough()
    await expectToast(page, 'Email Sent')
    // A send does not wait for a slow save for ever; what that stored is removed after it.
    await eventually(async () => (await writer.client.get(DRAFTS)).json()).toEqual([])
  })

  it('that cannot be read is only logged', async ({ page, site }) => {
    const logged: string[] = []
    page.on('console', (line) => void logged.push(line.text()))
    await leaveResend(page, '{not json')
    await openComposer(page, site)
    await eventually(() => logged.join('\n').includes('The email to resend cannot be read')).toBe(true)
    expect(await chips(page)).toEqual([])
  })

  it('without recipients is left alone', async ({ page, site }) => {
    await leaveResend(page, { ...ENTRY, recipients: [] })
    await openComposer(page, site)
    expect(await field(page, 'Subject').inputValue()).toBe('')
  })

  it('of a long list has all its recipients loaded first, and none before', async ({ page, site }) => {
    const writer = await aWriter(site)
    const recipients = Array.from({ length: 250 }, (_, n) => `again${n}@example.test`)
    const sent = await writer.client.post(SEND, { recipients, subject: 'Long', body: '' })
    const { id } = sent.json() as { id: string }
    const path = `/api/email-history/${id}/recipients`
    const letThrough = await holdBack(page, path)
    await leaveResend(page, { ...ENTRY, recipients: recipients.slice(0, 100), campaignId: id })
    await writer.signIn(page.context())
    await page.goto('/compose')
    await page.getByText('Reading the list…').first().waitFor()
    expect(await sendButton(page).isDisabled()).toBe(true)
    expect(await chips(page)).toEqual([])
    await letThrough()
    await expectToast(page, 'Ready to Resend', 'Email loaded with 250 recipient(s)')
    await page.getByText('To 250 people').waitFor()
  })

  it('whose recipients cannot be loaded says so, and is loaded by trying again', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    const { writer, path } = await openResendWithoutList({ page, site, expectRefusal })
    expect(await sendButton(page).isDisabled()).toBe(true)
    // Whom somebody adds meanwhile stays.
    await addRecipients(page, 'carl@example.test')
    await tryAgain(page, path)
    await expectToast(page, 'Ready to Resend', 'Email loaded with 2 recipient(s)')
    expect(await chips(page)).toEqual(['carl@example.test', 'bob@example.test'])
    // The button is gone: the keyboard is where its work is seen.
    await eventually(() => recipientInput(page).and(page.locator(':focus')).count()).toBe(1)
    await eventually(async () => (await writer.client.get(DRAFTS)).json()).toMatchObject([
      { subject: 'Once more', recipientCount: 2 },
    ])
  })

  it('whose recipients could not be loaded is done with once it is sent to others', async ({
    page,
    site,
    expectRefusal,
  }) => {
    await openResendWithoutList({ page, site, expectRefusal })
    await addRecipients(page, 'carl@example.test')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    // What is written next has nothing to do with them.
    await page.getByText(NOT_LOADED).waitFor({ state: 'detached' })
  })
})
