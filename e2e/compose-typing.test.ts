import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  draftIn,
  message,
  openComposer,
  recipientInput,
  SEND,
  saved,
  sendButton,
  type Writer,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, field, heading, link } from './steps.ts'
import { expectToast } from './toasts.ts'

const sent = async ({ client }: Writer): Promise<unknown> => (await client.get('/api/email-history')).json()

const recipientsOf = async ({ client }: Writer, draftId: string): Promise<unknown> =>
  ((await client.get(`/api/drafts/${draftId}`)).json() as { recipients: unknown }).recipients

/** Whether the browser would ask whoever closes or reloads the page now. */
const isAskedToStay = (page: Page): Promise<boolean> =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))

describe('Ctrl and Enter', () => {
  it('in a dialog over the email, or on a link beside it, sends nothing', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    await write(page)
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(SEND)) calls.push(request.method())
    })

    await button(page, 'Save as Template').click()
    await field(page, 'Template Name').fill('News')
    await field(page, 'Template Name').press('Control+Enter')
    await page.getByRole('dialog').press('Escape')
    await button(page, 'Preview').click()
    await page.getByRole('dialog').press('Control+Enter')
    await page.getByRole('dialog').press('Escape')
    await page
      .getByRole('region', { name: 'Sender' })
      .getByRole('link', { name: 'Settings' })
      .press('Control+Enter')

    expect(calls).toEqual([])
    expect(await sent(writer)).toEqual([])
    expect(await sendButton(page).isEnabled()).toBe(true)
  })

  it('sends also to the address that is still being typed', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await write(page)
    await recipientInput(page).fill('carl@example.test')
    await recipientInput(page).press('Control+Enter')
    await expectToast(page, 'Email Sent', 'Successfully sent to 2 recipient(s)')
    expect(await sent(writer)).toMatchObject([{ recipientCount: 2 }])
    expect(await recipientInput(page).inputValue()).toBe('')
  })
})

describe('an address that is still being typed', () => {
  it('is not lost by leaving: it goes into the draft, or the browser asks', async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await link(page, 'Dashboard').click()
    await heading(page, 'Dashboard').waitFor()
    await page.goBack()
    await write(page)
    await saved(page)
    const draftId = draftIn(page)
    expect(await isAskedToStay(page)).toBe(false)
    await recipientInput(page).fill('carl@example.test')
    expect(await isAskedToStay(page)).toBe(true)
    // By the keys of the browser, which leave the focus where it is.
    await page.evaluate(() => history.forward())
    await heading(page, 'Dashboard').waitFor()
    await eventually(() => recipientsOf(writer, draftId)).toEqual(['bob@example.test', 'carl@example.test'])
  })
})

describe('what is written', () => {
  it('begins at the right where its language does', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    const direction = (field: Locator) => field.evaluate((element) => getComputedStyle(element).direction)
    for (const part of [field(page, 'Subject'), message(page)]) {
      expect(await direction(part)).toBe('ltr')
      await part.fill('שלום')
      expect(await direction(part)).toBe('rtl')
    }
  })
})
