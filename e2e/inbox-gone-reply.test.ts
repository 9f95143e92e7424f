import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { aMember, eventually, journey as it, type Member } from './harness.ts'
import { inboxOf } from './inbox-mails.ts'
import {
  deleteElsewhere,
  LIST,
  placeOf,
  REPLY,
  receive,
  replyArea,
  row,
  rows,
  subject,
  withMails,
} from './inbox-steps.ts'
import { countStreams, lookAgain, lookAway } from './looking-away.ts'
import type { Site } from './site.ts'
import { ASKED_ANYTIME, button, heading, holdBack, link } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast, keepToasts } from './toasts.ts'

const WORDS = 'Half a sentence'
const TWO = [{ subject: 'A question' }, { subject: 'Another' }]

async function writeTo(page: Page, text: string): Promise<void> {
  await row(page, text).click()
  await subject(page, text).waitFor()
  await replyArea(page).fill(WORDS)
}

async function leavesFreely(page: Page): Promise<void> {
  await link(page, 'Templates').first().click()
  await heading(page, 'Email Templates').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
}

const isStored = async ({ db }: Site, id = ''): Promise<boolean> =>
  (await db.selectFrom('inbox_messages').select('id').where('id', '=', id).execute()).length > 0

describe('an unsent reply', () => {
  it('is named when its message is deleted, comes back with it, and is asked about no more without it', async ({
    page,
    site,
  }) => {
    await keepToasts(page)
    await withMails(page, site, TWO)
    await writeTo(page, 'A question')
    await button(page, 'Delete').click()
    await expectToast(page, 'Message Deleted', '“A question” from Ann Keller, with your unsent reply')
    await button(page, 'Undo').click()
    await row(page, 'Unsent reply').click()
    await subject(page, 'A question').waitFor()
    expect(await replyArea(page).inputValue()).toBe(WORDS)

    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await row(page, 'A question').focus()
    await page.keyboard.press('Delete')
    await expectToast(page, 'Message Deleted', '“A question” from Ann Keller, with your unsent reply')
    await leavesFreely(page)
  })

  it('is there again when its message could not be deleted', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const { inbox, ids } = await withMails(page, site, TWO)
    const path = `/api/inbox/message/${inbox.inboxId}/${ids[0]}`
    expectRefusal(path)
    await writeTo(page, 'A question')
    await page.route(`**${path}`, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, body: 'The database cannot be reached', contentType: 'text/plain' })
        : route.continue(),
    )
    await button(page, 'Delete').click()
    await row(page, 'A question').waitFor({ state: 'detached' })
    await button(page, 'Dismiss').click()
    await expectToast(page, 'Failed to Delete')
    await row(page, 'Unsent reply').click()
    await eventually(() => replyArea(page).inputValue()).toBe(WORDS)
  })

  it('that was on its way when its message was deleted is told of when it fails, and asked about no more', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(REPLY)
    await keepToasts(page)
    const { ids } = await withMails(page, site, TWO)
    await writeTo(page, 'A question')
    const letThrough = await holdBack(page, REPLY)
    await button(page, 'Send Reply').click()
    await button(page, 'Sending...').waitFor()
    await button(page, 'Delete').click()
    await expectToast(page, 'Message Deleted', '“A question” from Ann Keller')
    await button(page, 'Dismiss').click()
    await eventually(() => isStored(site, ids[0])).toBe(false)
    await letThrough()
    await expectToast(page, 'Failed to send reply')
    await leavesFreely(page)
  })

  it('that fails while its message can still be had brings that back, to be tried again', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    expectRefusal(REPLY)
    await keepToasts(page)
    await withMails(page, site, TWO)
    await writeTo(page, 'A question')
    const answer = Promise.withResolvers<void>()
    await page.route(`**${REPLY}`, async (route) => {
      await answer.promise
      await route.fulfill({ status: 503, body: 'The database cannot be reached', contentType: 'text/plain' })
    })
    await button(page, 'Send Reply').click()
    await button(page, 'Sending...').waitFor()
    await button(page, 'Delete').click()
    await row(page, 'A question').waitFor({ state: 'detached' })
    answer.resolve()
    await expectToast(page, 'Failed to send reply')
    await row(page, 'Unsent reply').click()
    await eventually(() => replyArea(page).inputValue()).toBe(WORDS)
  })

  it('goes with a message that is deleted elsewhere', { tags: 'thorough' }, async ({
    page,
    site,
    allowRefusal,
  }) => {
    const reader = await withMails(page, site, TWO)
    allowRefusal(`/api/inbox/message/${reader.inbox.inboxId}/${reader.ids[0]}`)
    await writeTo(page, 'A question')
    await row(page, 'Another').click()
    await subject(page, 'Another').waitFor()
    await deleteElsewhere(page, placeOf(reader))
    await expectToast(page, 'Reply Discarded', 'The message that it answers was deleted elsewhere.')
    await leavesFreely(page)
  })

  it('goes with a message that is deleted elsewhere while nobody looks at this tab', {
    tags: 'thorough',
  }, async ({ page, site, allowRefusal }) => {
    const streams = countStreams(page)
    const reader = await withMails(page, site, TWO)
    allowRefusal(`/api/inbox/message/${reader.inbox.inboxId}/${reader.ids[0]}`)
    await writeTo(page, 'A question')
    await writeTo(page, 'Another')
    await eventually(streams.open).toBe(1)
    await lookAway(page)
    await eventually(streams.open).toBe(0)
    await deleteElsewhere(page, placeOf(reader))
    await eventually(() => isStored(site, reader.ids[0])).toBe(false)
    await lookAgain(page)
    await expectToast(page, 'Reply Discarded', 'The message that it answers was deleted elsewhere.')
    // Only that one.
    expect(await replyArea(page).inputValue()).toBe(WORDS)
    await button(page, 'Cancel').click()
    await leavesFreely(page)
  })

  it('is kept while another account is signed in, to whom its message does not exist', {
    tags: 'thorough',
  }, async ({ page, site, context, allowRefusal }) => {
    ASKED_ANYTIME.forEach(allowRefusal)
    const streams = countStreams(page)
    const { member, inbox, ids } = await withMails(page, site, TWO)
    const paths = ids.map((id) => `/api/inbox/message/${inbox.inboxId}/${id}`)
    paths.forEach(allowRefusal)
    allowRefusal(LIST)
    await writeTo(page, 'A question')
    await writeTo(page, 'Another')
    await eventually(streams.open).toBe(1)
    const lookAgainAs = async (whoever: Member): Promise<void> => {
      await lookAway(page)
      await eventually(streams.open).toBe(0)
      await whoever.signIn(context)
      await lookAgain(page)
    }
    const refusals = paths.map((path) =>
      page.waitForResponse((response) => response.url().endsWith(path) && !response.ok()),
    )
    const ben = await aMember(site)
    const listRead = page.waitForResponse((response) => new URL(response.url()).pathname === LIST)
    await lookAgainAs(ben)
    for (const refusal of refusals) await (await refusal).finished()
    const notice = page.getByText('All that you have typed is still here')
    await notice.waitFor()
    await (await listRead).finished()
    // Nor does the list become that of the other account, nor take in what comes to it.
    const other = await context.newPage()
    await other.goto('/inbox')
    await other.getByText('No messages yet').waitFor()
    await receive(site, await inboxOf(site, ben), { subject: 'To Ben' })
    await row(other, 'To Ben').waitFor()
    await other.close()
    await nextFrames(page)
    expect(await rows(page).count()).toBe(2)
    expect(await row(page, 'To Ben').count()).toBe(0)
    await lookAgainAs(member)
    await notice.waitFor({ state: 'detached' })
    await row(page, 'A question').click()
    await subject(page, 'A question').waitFor()
    expect(await replyArea(page).inputValue()).toBe(WORDS)
    await row(page, 'Another').click()
    await subject(page, 'Another').waitFor()
    expect(await replyArea(page).inputValue()).toBe(WORDS)
  })

  it('stays with whoever is writing it, for as long as they do', { tags: 'thorough' }, async ({
    page,
    site,
    allowRefusal,
  }) => {
    const reader = await withMails(page, site, TWO)
    allowRefusal(`/api/inbox/message/${reader.inbox.inboxId}/${reader.ids[0]}`)
    await writeTo(page, 'A question')
    await deleteElsewhere(page, placeOf(reader))
    await eventually(() => rows(page).count()).toBe(1)
    expect(await replyArea(page).inputValue()).toBe(WORDS)
    await row(page, 'Another').click()
    await expectToast(page, 'Reply Discarded', 'The message that it answers was deleted elsewhere.')
    await leavesFreely(page)
  })
})
