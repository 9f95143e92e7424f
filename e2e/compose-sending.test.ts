import { describe, expect } from 'vitest'
import {
  chips,
  DRAFTS,
  draftsOf,
  openComposer,
  paste,
  recipientInput,
  SEND,
  saved,
  sendButton,
  sentBy,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { button, heading, holdBack } from './steps.ts'
import { expectToast } from './toasts.ts'

describe('while an email is being sent', () => {
  it('nobody joins or leaves its recipients, and a dropped file does not take the place of the page', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(SEND)
    await openComposer(page, site)
    const readers = Array.from({ length: 30 }, (_, n) => `reader${n}@example.test`)
    await write(page, { to: ['ann@'] })
    await paste(recipientInput(page), readers.join('\n'))
    await page.getByText('To 30 people').waitFor()
    const before = await chips(page)
    const more = page.getByRole('button', { name: /more$/ })
    const lookThrough = button(page, 'Look through it')
    expect([await more.isEnabled(), await lookThrough.isEnabled()]).toEqual([true, true])

    const letThrough = await holdBack(page, SEND)
    const { body } = await sentBy(page, () => sendButton(page).click())
    expect(body).toMatchObject({ recipients: ['ann@', ...readers] })
    await recipientInput(page).press('Backspace')
    await paste(recipientInput(page), 'late@example.test, later@example.test')
    const isPageKept = await recipientInput(page).evaluate((input) => {
      const data = new DataTransfer()
      data.items.add(new File(['late@example.test'], 'late.txt', { type: 'text/plain' }))
      return !input.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      )
    })
    expect(isPageKept).toBe(true)
    expect([await more.isEnabled(), await lookThrough.isEnabled()]).toEqual([false, false])

    await letThrough()
    await expectToast(page, 'Failed to Send', '400: "ann@" is not a valid e-mail address')
    expect(await chips(page)).toEqual(before)
    expect(await page.getByText('late.txt').count()).toBe(0)
  })

  it('leaving needs no question when its draft is safe', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await write(page)
    await saved(page)
    const letThrough = await holdBack(page, SEND)
    await sendButton(page).click()
    await button(page, 'Sending...').waitFor()
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    await letThrough()
    await expectToast(page, 'Email Sent')
  })

  it('leaving asks first when it is nowhere safe, and what could not be sent is saved after all', async ({
    page,
    site,
    allowAbsence,
  }) => {
    // The server stands still: neither the save nor the send has an answer.
    allowAbsence()
    const writer = await openComposer(page, site)
    const refuse: (() => void)[] = []
    for (const path of [SEND, `${DRAFTS}/*`])
      await page.route(`**${path}`, async (route) => {
        await new Promise<void>((resolve) => refuse.push(resolve))
        await route.abort('connectionreset')
      })
    await write(page, { subject: 'Nowhere safe' })
    await sendButton(page).click()
    // The save, and the send that did not wait for it.
    await eventually(() => refuse.length).toBe(2)
    await page.getByTestId('link-history').click()
    const question = page.getByRole('dialog', { name: 'Leave this email?' })
    await question.getByText('It is still being sent, and not saved yet.').waitFor()
    await question.getByRole('button', { name: 'Leave Without Saving' }).click()
    await heading(page, 'Email History').waitFor()
    await page.unroute(`**${DRAFTS}/*`)
    for (const answer of refuse) answer()
    await expectToast(page, 'Failed to Send')
    await eventually(async () => (await draftsOf(writer)).map(({ subject }) => subject)).toEqual([
      'Nowhere safe',
    ])
  })
})
