import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { storeMails } from './inbox-mails.ts'
import {
  aReader,
  folder,
  LIST,
  linesOf,
  messages,
  pane,
  row,
  rows,
  searchBox,
  unreadWords,
  withMails,
} from './inbox-steps.ts'
import { answerWith, button, isFocused, link, pathOf, takeSearchBack, tryAgain } from './steps.ts'
import { openWithStoppedClock, passTime } from './time.ts'
import { expectToast } from './toasts.ts'

describe('the list', () => {
  it('shows who wrote, when, about what and how it begins, and which of it is new', async ({
    page,
    site,
  }) => {
    const { member, inbox } = await aReader(page, site)
    const campaignId = await pastCampaign(site, member.userId, { subject: 'The autumn letter' })
    const long = 'We would love to come on Sunday. '.repeat(12)
    await storeMails(site, inbox, [
      { subject: 'Re: The autumn letter', text: long, isUnread: true, minutesAgo: 5, campaignId },
      {
        ...{ name: '', email: 'bob@example.test', subject: '', text: 'Out of office', minutesAgo: 60 * 26 },
        ...{ isAutomatic: true, files: [{ name: 'a.pdf', type: 'application/pdf', size: 10 }] },
      },
    ])
    await page.goto('/inbox')
    await rows(page).first().waitFor()
    const [unread, who, when, about, preview, ...marks] = await linesOf(rows(page).nth(0))
    expect([unread, who, when, about]).toEqual(['Unread', 'Ann Keller', '5 min ago', 'Re: The autumn letter'])
    expect(marks).toEqual(['Answers', 'The autumn letter'])
    expect(preview).toContain('We would love to come')
    const lines = rows(page).nth(0).locator('.line-clamp-2')
    expect(await lines.evaluate((text) => text.clientHeight / 20)).toBe(2)
    expect(await linesOf(rows(page).nth(1))).toEqual([
      'bob@example.test',
      expect.stringMatching(/^(yesterday|2 days ago)$/),
      'No subject',
      'Out of office',
      'Automatic',
      '1',
      '1 attachment',
    ])
    await pane(page).getByRole('heading', { name: 'Select a message', exact: true }).waitFor()
    // The number of what is new stands at its folder and in the sidebar, also for those who listen.
    await folder(page, 'Inbox 1 unread').waitFor()
    await eventually(() => unreadWords(page)).toBe('Inbox 1 unread')
    await eventually(() => page.title()).toBe('Inbox (1) · Postrider')
  })

  it('tells the time truly while one looks', { tags: 'thorough' }, async ({ page, site }) => {
    await aReader(page, site, [{ minutesAgo: 0 }, { minutesAgo: 50 }])
    const first = row(page, 'just now')
    await openWithStoppedClock(page, '/inbox', first)
    const times = () => messages(page).locator('time').allInnerTexts()
    await passTime(page, 2 * 60_000)
    await eventually(times).toEqual(['3 min ago', '53 min ago'])
    await passTime(page, 10 * 60_000)
    await eventually(times).toEqual(['13 min ago', '1 hour ago'])
  })

  it('says what did not get in, why, and what can be done', { tags: 'thorough' }, async ({ page, site }) => {
    const { inbox } = await aReader(page, site)
    await site.db
      .insertInto('inbox_missed')
      .values(['daily-limit', 'not-brought'].map((reason) => ({ inbox_id: inbox.inboxId, reason })))
      .execute()
    await site.db
      .insertInto('inbox_unfetched')
      .values({ inbox_id: inbox.inboxId, mail: 'a', first_at: new Date(Date.now() - 300_000) })
      .execute()
    await page.goto('/inbox')
    const notes = page.getByRole('note')
    await notes.filter({ hasText: /Mail was held off.*asked to try again later.*just now/s }).waitFor()
    await notes.filter({ hasText: /Amazon SES did not bring a message.*an SNS action/s }).waitFor()
    await notes
      .filter({ hasText: /A message could not be fetched from Resend.*goes when.*in the log/s })
      .waitFor()
    expect(await notes.count()).toBe(3)
  })

  it("says 'No messages yet' with the address that brings some, and what to do", async ({ page, site }) => {
    const { inbox } = await aReader(page, site)
    await page.goto('/inbox')
    await page.getByRole('heading', { name: 'No messages yet', exact: true }).waitFor()
    await page.getByText('Select a message', { exact: true }).waitFor()
    expect(await page.getByLabel('Your inbox address', { exact: true }).inputValue()).toBe(inbox.address)
    await link(page, 'Set Reply-To Address').click()
    await button(page, 'Use as reply-to').waitFor()
    expect(pathOf(page)).toBe('/settings')
  })

  it('has folders, which the search goes through one by one', async ({ page, site }) => {
    await withMails(page, site, [
      { name: 'Ann', subject: 'From a person' },
      { name: 'Bob', subject: 'Done with', folder: 'archived' },
      { name: 'Robot', subject: 'I am away', folder: 'automatic', isAutomatic: true, isUnread: true },
    ])
    expect(await rows(page).count()).toBe(1)
    await folder(page, 'Archived').click()
    await row(page, 'From a person').waitFor({ state: 'detached' })
    await rows(page, 'Archived').filter({ hasText: 'Done with' }).waitFor()
    await folder(page, 'Automatic replies 1 unread').click()
    await rows(page, 'Automatic replies').filter({ hasText: 'I am away' }).waitFor()
    await page.goBack()
    await rows(page, 'Archived').waitFor()
    await searchBox(page).fill('no such word')
    await page.getByRole('heading', { name: 'No matching messages' }).waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('no such word')
    await button(page, 'Show the whole folder').click()
    await rows(page, 'Archived').waitFor()
    expect(await isFocused(page, searchBox(page))).toBe(true)
    await page.goto('/inbox?folder=automatic')
    await rows(page, 'Automatic replies').waitFor()
  })

  it('is called empty by no search that found nothing', async ({ page, site }) => {
    await withMails(page, site, [{ subject: 'Here I am' }])
    const search = { at: '/inbox?q=no+such+word', none: 'No matching messages', list: LIST }
    const letThrough = await takeSearchBack(page, { ...search, box: searchBox(page) })
    expect(await page.getByRole('heading', { name: 'No messages yet' }).count()).toBe(0)
    await letThrough()
    await row(page, 'Here I am').waitFor()
  })

  it('says of an empty folder what would be in it', { tags: 'thorough' }, async ({ page, site }) => {
    await aReader(page, site)
    await page.goto('/inbox?folder=archived')
    await page.getByRole('heading', { name: 'Nothing archived' }).waitFor()
    await page.goto('/inbox?folder=automatic')
    await page.getByRole('heading', { name: 'No automatic replies' }).waitFor()
  })

  it('goes on as one scrolls', { tags: 'thorough' }, async ({ page, site }) => {
    const many = Array.from({ length: 120 }, (_, index) => ({
      subject: `Letter ${index}`,
      minutesAgo: index,
    }))
    await withMails(page, site, many)
    await eventually(async () => {
      await rows(page).last().scrollIntoViewIfNeeded()
      return rows(page).count()
    }).toBe(120)
    expect(await button(page, 'Load more').count()).toBe(0)
    // The message pane has not moved, and neither has the page.
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })

  it('is read again by its button', async ({ page, site }) => {
    const { inbox } = await withMails(page, site, [{ subject: 'The first' }])
    await storeMails(site, inbox, [{ subject: 'The second', minutesAgo: 0 }])
    await button(page, 'Refresh').click()
    await row(page, 'The second').waitFor()
    const said = page.getByRole('status').getByText('Your messages are up to date')
    // Whoever listens hears it each time: only what changes is read out.
    const first = await said.elementHandle()
    await button(page, 'Refresh').click()
    await eventually(() => first?.evaluate((element) => element.isConnected)).toBe(false)
    await said.waitFor({ state: 'attached' })
  })

  it('that cannot be loaded says why, and can be tried again', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    expectRefusal(LIST)
    await answerWith(page, `${LIST}?*`, 503, 'The database cannot be reached')
    await aReader(page, site, [{ subject: 'Here I am' }])
    await page.goto('/inbox')
    await page.getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, `${LIST}?*`)
    await row(page, 'Here I am').waitFor()
    await answerWith(page, `${LIST}?*`, 503, 'The database cannot be reached')
    await button(page, 'Refresh').click()
    await expectToast(page, 'Failed to Refresh', '503: The database cannot be reached')
    await row(page, 'Here I am').waitFor()
  })
})
