import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { anAddress, journey as it } from './harness.ts'
import { pane, REPLY, replyArea, row, withMails } from './inbox-steps.ts'
import type { Site } from './site.ts'
import { answerWith, button, clickAgain, isFocused, loseAnswers } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast, keepToasts } from './toasts.ts'

const sendButton = (page: Page) => button(page, 'Send Reply')

const nothingOpen = (page: Page) => page.getByText('Select a message', { exact: true })

const doubt = (page: Page) => pane(page).getByText('It is not known whether your reply was sent')

const sentBefore = (page: Page) => pane(page).getByText('Your reply was sent before you changed it')

/** A reply that has been sent, as nobody on the page can know. */
async function withLostAnswer(page: Page, site: Site) {
  const ann = anAddress('ann')
  const { member } = await withMails(page, site, [{ email: ann, subject: 'A question' }])
  await row(page, 'A question').click()
  await replyArea(page).fill('Yes.')
  await loseAnswers(page, REPLY)
  await sendButton(page).click()
  await expectToast(page, 'Failed to send reply')
  await page.unroute(`**${REPLY}`)
  const repliesSent = async () => {
    const { count } = await site.db
      .selectFrom('campaigns')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('user_id', '=', member.userId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }
  return { ann, repliesSent }
}

async function giveUpAndHaveBack(page: Page): Promise<void> {
  await button(page, 'Cancel').click()
  await nothingOpen(page).waitFor()
  await button(page, 'Undo').click()
}

describe('a reply', () => {
  it('whose answer was lost on the way is sent once', async ({ page, site, expectRefusal }) => {
    expectRefusal(REPLY)
    const { repliesSent, ann } = await withLostAnswer(page, site)
    await doubt(page).waitFor()
    await sendButton(page).click()
    await expectToast(page, 'Reply sent')
    await nothingOpen(page).waitFor()
    await site.mails.latest(ann)
    expect(await repliesSent()).toBe(1)
    await row(page, 'A question').click()
    await replyArea(page).waitFor()
    expect(await doubt(page).count()).toBe(0)
  })

  it('whose answer was lost is sent once, also when it was given up and had back', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(REPLY)
    await keepToasts(page)
    const { repliesSent } = await withLostAnswer(page, site)
    await giveUpAndHaveBack(page)
    await doubt(page).waitFor()
    expect(await replyArea(page).inputValue()).toBe('Yes.')
    await sendButton(page).click()
    await expectToast(page, 'Reply sent')
    expect(await repliesSent()).toBe(1)
  })

  it('that was changed after its answer was lost is not sent beside the first without a word', async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(REPLY)
    const { repliesSent } = await withLostAnswer(page, site)
    await replyArea(page).fill('No.')
    await page.getByTestId('link-history').click()
    const dialog = page.getByRole('dialog', { name: 'Leave this reply?' })
    await dialog.getByText('It is not known whether your reply was sent.').waitFor()
    await dialog.getByRole('button', { name: 'Keep Writing' }).click()
    await sendButton(page).click()
    await expectToast(
      page,
      'Failed to send reply',
      'An earlier version was already sent, so this one was not sent',
    )
    await sentBefore(page).waitFor()
    expect(await repliesSent()).toBe(1)
    await sendButton(page).click()
    await button(page, 'Send Second Reply').click()
    await expectToast(page, 'Reply sent')
    expect(await repliesSent()).toBe(2)
  })

  it('whose second sending fails has the keyboard in its text again', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(REPLY)
    await withLostAnswer(page, site)
    await replyArea(page).fill('No.')
    await sendButton(page).click()
    await sentBefore(page).waitFor()
    // Slower than the question takes to fade: its button is at work as it goes.
    await answerWith(page, REPLY, 503, 'The database cannot be reached', { afterMs: 1_000 })
    await sendButton(page).click()
    await button(page, 'Send Second Reply').click()
    await expectToast(page, 'Failed to send reply', '503: The database cannot be reached')
    expect(await isFocused(page, replyArea(page))).toBe(true)
  })

  it('that was changed after its answer was lost is not sent without a word once it was given up and had back', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(REPLY)
    await keepToasts(page)
    const { repliesSent } = await withLostAnswer(page, site)
    await replyArea(page).fill('No.')
    await sendButton(page).click()
    await sentBefore(page).waitFor()
    await giveUpAndHaveBack(page)
    await sentBefore(page).waitFor()
    await sendButton(page).click()
    await button(page, 'Send Second Reply').waitFor()
    expect(await repliesSent()).toBe(1)
  })

  it('that was changed after its answer was lost is not sent by one press too many', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(REPLY)
    const { repliesSent } = await withLostAnswer(page, site)
    await replyArea(page).fill('No.')
    await page.keyboard.down('Control')
    await page.keyboard.down('Enter')
    await sentBefore(page).waitFor()
    // The keys are still held.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.up('Control')
    await clickAgain(sendButton(page))
    await nextFrames(page)
    const question = page.getByRole('dialog', { name: 'Send a second reply?' })
    expect(await question.count()).toBe(0)
    // Another press is asked about, for a person may not have read what happened to the one before.
    await replyArea(page).press('Control+Enter')
    await question.getByText('An earlier version was already sent.').waitFor()
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'hidden' })
    expect(await replyArea(page).inputValue()).toBe('No.')
    expect(await repliesSent()).toBe(1)
  })
})
