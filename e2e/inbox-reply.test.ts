import type { Page, Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { IDEMPOTENCY_KEY_HEADER } from '../contract/campaigns.ts'
import { anAddress, eventually, journey as it } from './harness.ts'
import { LIST, pane, placeOf, REPLY, replyArea, row, rows, subject, withMails } from './inbox-steps.ts'
import { answerWith, button, heading, holdBack, pathOf } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast, keepToasts } from './toasts.ts'

const sendButton = (page: Page) => button(page, 'Send Reply')

/** The keys under which replies are sent from now on. */
function keysSent(page: Page): string[] {
  const keys: string[] = []
  page.on('request', (request: Request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === REPLY)
      keys.push(request.headers()[IDEMPOTENCY_KEY_HEADER] ?? 'none')
  })
  return keys
}

describe('a reply', () => {
  it('says whom it goes to, is sent once by a double click, and ends at the list', async ({ page, site }) => {
    const bob = anAddress('bob')
    const { member } = await withMails(page, site, [
      { name: 'Bob', email: 'bob@work.test', answersTo: bob, subject: 'A question', text: 'Are you open?' },
    ])
    await row(page, 'A question').click()
    await pane(page).getByText(`To: ${bob}`).waitFor()
    await pane(page).getByText('it came from another address').waitFor()
    expect(await replyArea(page).getAttribute('rows')).toBe('6')
    await button(page, 'Reply').click()
    await eventually(() => replyArea(page).and(page.locator(':focus')).count()).toBe(1)
    expect(await sendButton(page).isDisabled()).toBe(true)
    await replyArea(page).fill(' \n ')
    expect(await sendButton(page).isDisabled()).toBe(true)
    await replyArea(page).fill('Yes, on Sunday.')
    const listed = page.waitForRequest((request) => new URL(request.url()).pathname === LIST)
    await sendButton(page).dblclick()
    await expectToast(page, 'Reply sent')
    await listed
    await page.getByText('Select a message', { exact: true }).waitFor()
    await eventually(() => row(page, 'A question').and(page.locator(':focus')).count()).toBe(1)

    const { subject: about, text } = await site.mails.latest(bob)
    expect(about).toBe('Re: A question')
    expect(text).toMatch(/^Yes, on Sunday\.\n\nOn .*wrote:\n> Are you open\?/)
    const sent = await site.db
      .selectFrom('campaigns')
      .select('id')
      .where('user_id', '=', member.userId)
      .execute()
    expect(sent).toHaveLength(1)

    // It is in the conversation from then on, with what became of it, and nothing is left in the field.
    await row(page, 'A question').click()
    const later = pane(page).getByRole('region', { name: 'Later in this conversation' })
    await later.getByText('Accepted').waitFor()
    await later.getByRole('button', { name: /^You/ }).click()
    await later.getByText('Yes, on Sunday.').last().waitFor()
    expect(await later.getByRole('link', { name: 'Show in History' }).getAttribute('href')).toBe(
      `/history/${sent[0]?.id}`,
    )
    expect(await replyArea(page).inputValue()).toBe('')
  })

  it('that fails keeps its words and says why; what is sent then is the same reply', async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(REPLY)
    await withMails(page, site, [{ subject: 'A question' }])
    await row(page, 'A question').click()
    await replyArea(page).fill('Yes.')
    const keys = keysSent(page)
    await answerWith(page, REPLY, 503, 'The database cannot be reached')
    await sendButton(page).click()
    await expectToast(page, 'Failed to send reply', '503: The database cannot be reached')
    expect(await replyArea(page).inputValue()).toBe('Yes.')
    await page.unroute(`**${REPLY}`)
    await answerWith(page, REPLY, 200, 'not what was meant')
    await replyArea(page).press('Control+Enter')
    await expectToast(page, 'Failed to send reply', 'Please try again')
    await page.unroute(`**${REPLY}`)
    await replyArea(page).fill('Yes, gladly.')
    await sendButton(page).click()
    await expectToast(page, 'Reply sent')
    expect(keys[0]).toMatch(/^[\w-]{36}$/)
    expect(keys).toEqual([keys[0], keys[0], keys[0]])
  })

  it('waits while another message is looked at, and is marked in the list', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const reader = await withMails(page, site, [{ subject: 'The first' }, { subject: 'The second' }])
    await row(page, 'The first').click()
    await replyArea(page).fill('Half a sentence')
    await row(page, 'The second').click()
    await subject(page, 'The second').waitFor()
    expect(await replyArea(page).inputValue()).toBe('')
    await row(page, 'Unsent reply').click()
    await subject(page, 'The first').waitFor()
    expect(await replyArea(page).inputValue()).toBe('Half a sentence')

    const release = await holdBack(page, REPLY)
    await sendButton(page).click()
    await button(page, 'Sending...').waitFor()
    expect(await replyArea(page).isEditable()).toBe(false)
    await row(page, 'The second').click()
    await subject(page, 'The second').waitFor()
    await release()
    await expectToast(page, 'Reply sent')
    // Whoever reads on is left where they are.
    expect(page.url()).toContain(placeOf(reader, 1))
  })

  it('that arrives after its screen was left pulls nobody back', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await withMails(page, site, [{ subject: 'The first' }])
    await row(page, 'The first').click()
    await replyArea(page).fill('Yes.')
    const release = await holdBack(page, REPLY)
    await sendButton(page).click()
    await button(page, 'Sending...').waitFor()
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    await release()
    await expectToast(page, 'Reply sent')
    await nextFrames(page)
    expect(pathOf(page)).toBe('/history')
  })

  it('that is not sent is not left without a question', async ({ page, site }) => {
    await withMails(page, site, [{ subject: 'The first' }])
    await row(page, 'The first').click()
    await replyArea(page).fill('Half a sentence')
    await page.getByTestId('link-history').click()
    const dialog = page.getByRole('dialog', { name: 'Leave this reply?' })
    await eventually(() => page.locator(':focus').innerText()).toBe('Keep Writing')
    await dialog.getByRole('button', { name: 'Keep Writing' }).click()
    expect(pathOf(page)).toBe('/inbox')
    expect(await replyArea(page).inputValue()).toBe('Half a sentence')
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => window.location.reload()))
    await (await asked).dismiss()
    expect(await replyArea(page).inputValue()).toBe('Half a sentence')
    await page.getByTestId('link-history').click()
    await dialog.getByRole('button', { name: 'Leave Without Sending' }).click()
    await heading(page, 'Email History').waitFor()
    await page.getByTestId('link-inbox').click()
    await row(page, 'The first').click()
    expect(await replyArea(page).inputValue()).toBe('')
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
  })

  it('is given up by Cancel, text and selection, and can be had back', async ({ page, site }) => {
    await keepToasts(page)
    await withMails(page, site, [{ subject: 'The first' }])
    await row(page, 'The first').click()
    await replyArea(page).fill('Half a sentence')
    await button(page, 'Cancel').click()
    await page.getByText('Select a message', { exact: true }).waitFor()
    await expectToast(page, 'Reply Discarded')
    expect(await row(page, 'Unsent reply').count()).toBe(0)
    await button(page, 'Undo').click()
    await subject(page, 'The first').waitFor()
    expect(await replyArea(page).inputValue()).toBe('Half a sentence')
    await replyArea(page).fill('')
    await button(page, 'Cancel').click()
    await page.getByText('Select a message', { exact: true }).waitFor()
  })

  it('can be had back while the browser is still on its way to the list', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await keepToasts(page)
    await withMails(page, site, [{ subject: 'The first' }])
    await row(page, 'The first').click()
    await replyArea(page).fill('Half a sentence')
    const goBack = await page.evaluateHandle(() => {
      const back = history.back.bind(history)
      history.back = () => {}
      return back
    })
    await button(page, 'Cancel').click()
    await button(page, 'Undo').click()
    await goBack.evaluate(
      (back) =>
        new Promise<void>((resolve) => {
          window.addEventListener('popstate', () => resolve(), { once: true })
          back()
        }),
    )
    await nextFrames(page)
    await eventually(() => replyArea(page).inputValue()).toBe('Half a sentence')
    await page.goBack()
    await page.getByText('Select a message', { exact: true }).waitFor()
  })

  it('to a machine is warned of, and to nobody it is impossible', async ({ page, site }) => {
    await withMails(page, site, [
      { subject: 'I am away', isAutomatic: true },
      { subject: 'From nobody', answersTo: '' },
    ])
    await row(page, 'I am away').click()
    await pane(page).getByText('A machine wrote this message.').waitFor()
    await replyArea(page).waitFor()
    await row(page, 'From nobody').click()
    await pane(page).getByText('Nobody can be answered').waitFor()
    expect(await replyArea(page).count()).toBe(0)
    expect(await rows(page).count()).toBe(2)
  })
})
