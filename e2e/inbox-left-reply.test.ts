import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { holdForNext, letThrough } from './going-on.ts'
import { journey as it } from './harness.ts'
import { deleteElsewhere, LIST, placeOf, REPLY, replyArea, row, subject, withMails } from './inbox-steps.ts'
import type { Site } from './site.ts'
import { ASKED_ANYTIME, answerWith, button, field, heading, link, pathOf } from './steps.ts'
import { expectToast, keepToasts } from './toasts.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave this reply?' })

/** Sent from the first of two messages, with the screen left for another before anybody has answered. */
async function leaveOneOnItsWay(page: Page, site: Site) {
  const reader = await withMails(page, site, [{ subject: 'A question' }, { subject: 'Another one' }])
  await row(page, 'A question').click()
  await replyArea(page).fill('Yes.')
  await holdForNext(page, REPLY)
  await button(page, 'Send Reply').click()
  await button(page, 'Sending...').waitFor()
  await page.getByTestId('link-history').click()
  await heading(page, 'Email History').waitFor()
  return reader
}

/** The same, and the server has failed since. */
async function leaveOneThatFails(page: Page, site: Site) {
  await answerWith(page, REPLY, 503, 'The database cannot be reached')
  const reader = await leaveOneOnItsWay(page, site)
  letThrough(page)
  await expectToast(page, 'Failed to send reply', '503: The database cannot be reached')
  return reader
}

describe('a reply that fails after its screen was left', () => {
  it('is asked about by every way that ends the page, and by none to another screen', async ({
    page,
    site,
    expectRefusal,
    allowRefusal,
  }) => {
    expectRefusal(REPLY)
    for (const path of [...ASKED_ANYTIME, LIST, '/api/templates']) allowRefusal(path)
    const { member } = await leaveOneThatFails(page, site)
    await button(page, 'Log out').click()
    await question(page).getByText('It is not known whether your reply was sent.').waitFor()
    await button(page, 'Stay Here').click()
    await question(page).waitFor({ state: 'detached' })
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => window.location.reload()))
    await (await asked).dismiss()
    expect(pathOf(page)).toBe('/history')
    await page.getByTestId('link-templates').click()
    await page.getByText('No Templates Yet').waitFor()
    expect(await question(page).count()).toBe(0)

    await site.db.deleteFrom('sessions').where('user_id', '=', member.userId).execute()
    const other = await page.context().newPage()
    await other.goto('/')
    await page.getByText('You are signed out').waitFor()
    await member.signIn(page.context())
    await other.goto('/')
    await page.getByText('You are signed out').waitFor({ state: 'detached' })
    await page.getByTestId('link-inbox').click()
    await row(page, 'Unsent reply').click()
    await subject(page, 'A question').waitFor()
    expect(await replyArea(page).inputValue()).toBe('Yes.')
    // Out of this screen it is given up.
    await page.getByTestId('link-history').click()
    await button(page, 'Leave Anyway').click()
    await heading(page, 'Email History').waitFor()
    await button(page, 'Log out').click()
    await heading(page, 'Sign in to Postrider').waitFor()
  })

  it('is a press away, also while another message is read', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(REPLY)
    await keepToasts(page)
    const reader = await leaveOneThatFails(page, site)
    await link(page, 'Open reply').click()
    await subject(page, 'A question').waitFor()
    expect(page.url()).toContain(placeOf(reader))
    expect(await replyArea(page).inputValue()).toBe('Yes.')
    // Where it stands, nothing leads to it.
    await button(page, 'Send Reply').click()
    await expectToast(page, 'Failed to send reply')
    expect(await link(page, 'Open reply').count()).toBe(0)

    await holdForNext(page, REPLY)
    await button(page, 'Send Reply').click()
    await row(page, 'Another one').click()
    await subject(page, 'Another one').waitFor()
    letThrough(page)
    await link(page, 'Open reply').click()
    await subject(page, 'A question').waitFor()
    expect(await replyArea(page).inputValue()).toBe('Yes.')
  })

  it('goes with its message when that is deleted elsewhere, and nothing is asked about it', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal, allowRefusal }) => {
    expectRefusal(REPLY)
    for (const path of [...ASKED_ANYTIME, LIST]) allowRefusal(path)
    await keepToasts(page)
    const reader = await leaveOneThatFails(page, site)
    allowRefusal(`/api/inbox/message/${reader.inbox.inboxId}/${reader.ids[0]}`)
    await deleteElsewhere(page, placeOf(reader))
    await expectToast(page, 'Reply Discarded', 'The message that it answers was deleted elsewhere.')
    await button(page, 'Log out').click()
    await heading(page, 'Sign in to Postrider').waitFor()
  })

  it('is asked about beside what else would be lost, each in its turn', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
    allowRefusal,
  }) => {
    expectRefusal(REPLY)
    for (const path of [...ASKED_ANYTIME, LIST]) allowRefusal(path)
    await leaveOneThatFails(page, site)
    await page.getByTestId('link-settings').click()
    await field(page, 'Sender Name').fill('Ann Keller')
    const settings = page.getByRole('dialog', { name: 'Leave these settings?' })
    for (const answer of ['Keep Editing', 'Leave Without Saving']) {
      await button(page, 'Log out').click()
      await question(page).getByRole('button', { name: 'Leave Anyway' }).click()
      await settings.getByRole('button', { name: answer }).click()
      await settings.waitFor({ state: 'detached' })
    }
    await heading(page, 'Sign in to Postrider').waitFor()
  })
})

describe('a reply that is still on its way', () => {
  it('is asked about before the session ends, until it is sent', { tags: 'thorough' }, async ({
    page,
    site,
    allowRefusal,
  }) => {
    for (const path of [...ASKED_ANYTIME, LIST, '/api/email-history', '/api/stats']) allowRefusal(path)
    await leaveOneOnItsWay(page, site)
    await button(page, 'Log out').click()
    await question(page).getByText('Your reply is still being sent.').waitFor()
    await button(page, 'Leave Anyway').waitFor()
    letThrough(page)
    await heading(page, 'Sign in to Postrider').waitFor()
  })
})
