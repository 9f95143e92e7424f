import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { moveOn } from './history-campaigns.ts'
import { sentEmails, withCampaigns } from './history-steps.ts'
import { aReader, receive, rows } from './inbox-steps.ts'
import { countStreams, lookAgain, lookAway, openUnseen } from './looking-away.ts'
import { ASKED_ANYTIME, button, heading } from './steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'

const RUNNING = { subject: 'The autumn letter', letters: { a: 1204, q: 3796 } } as const

const progress = (page: Page, accepted: string) =>
  sentEmails(page)
    .getByRole('row')
    .filter({ hasText: `${accepted} of 5,000 accepted` })

async function openHistory(page: Page): Promise<void> {
  await page.goto('/history')
  await progress(page, '1,204').waitFor()
}

it('seven tabs can be open on plain HTTP and each still answers', { tags: 'thorough' }, async ({
  page,
  context,
  site,
}) => {
  const [id = ''] = await withCampaigns(page, site, [RUNNING])
  const streams = countStreams(context)
  const tabs = [page]
  while (tabs.length < 5) tabs.push(await context.newPage())
  for (const tab of tabs) await openHistory(tab)
  // Nothing is left for what this one shows.
  const sixth = await context.newPage()
  await sixth.goto('/history')
  await eventually(streams.open).toBe(6)

  for (const tab of [...tabs, sixth]) await lookAway(tab)
  await eventually(streams.open).toBe(0)
  await progress(sixth, '1,204').waitFor()
  const seventh = await context.newPage()
  await openHistory(seventh)
  await moveOn(site, id, { accepted: 2000, queued: 3000 })
  await progress(seventh, '2,000').waitFor()

  await lookAgain(page)
  await progress(page, '2,000').waitFor()
  await moveOn(site, id, { accepted: 3000, queued: 2000 })
  await progress(page, '3,000').waitFor()
  await button(page, `Pause ${RUNNING.subject}`).click()
  await button(page, `Resume ${RUNNING.subject}`).waitFor()
  await button(seventh, `Resume ${RUNNING.subject}`).waitFor()
})

describe('a tab', () => {
  it('that is looked away from for less than ten seconds keeps listening', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    await withCampaigns(page, site, [RUNNING])
    const streams = countStreams(page)
    await openWithStoppedClock(page, '/history', progress(page, '1,204'))
    await eventually(streams.open).toBe(1)
    for (let times = 0; times < 2; times++) {
      await lookAway(page)
      await passTime(page, 9_900)
      await lookAgain(page)
      await passTime(page, 9_900)
    }
    expect([streams.open(), streams.asked()]).toEqual([1, 1])
    await lookAway(page)
    await passTime(page, 10_000)
    await eventually(streams.open).toBe(0)
    // However long it takes, and whoever looks away twice.
    await lookAway(page)
    await passTime(page, 120_000)
    expect(streams.asked()).toBe(1)
  })

  it('that is opened in the background listens once it is looked at, and knows what happened before', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const [id = ''] = await withCampaigns(page, site, [RUNNING])
    const streams = countStreams(page)
    await openUnseen(page)
    await openHistory(page)
    await moveOn(site, id, { accepted: 2000, queued: 3000 })
    expect(streams.asked()).toBe(0)
    await lookAgain(page)
    await progress(page, '2,000').waitFor()
    expect(streams.asked()).toBe(1)
  })

  it('that the browser keeps for going back listens no more, and again when it is shown', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const [id = ''] = await withCampaigns(page, site, [RUNNING])
    const streams = countStreams(page)
    await openHistory(page)
    await eventually(streams.open).toBe(1)
    const turn = (name: 'pagehide' | 'pageshow') =>
      page.evaluate((type) => window.dispatchEvent(new PageTransitionEvent(type, { persisted: true })), name)
    await turn('pagehide')
    await eventually(streams.open).toBe(0)
    await moveOn(site, id, { accepted: 2000, queued: 3000 })
    await turn('pageshow')
    await progress(page, '2,000').waitFor()
    expect(streams.asked()).toBe(2)
  })

  it('whose session ended while nobody looked asks to sign in, and listens no more', {
    tags: 'thorough',
  }, async ({ page, context, site, allowRefusal }) => {
    // The list is read again when news comes, and the other tab may be signed out meanwhile.
    for (const path of [...ASKED_ANYTIME, '/api/email-history']) allowRefusal(path)
    await withCampaigns(page, site, [RUNNING])
    const streams = countStreams(page)
    await openHistory(page)
    await eventually(streams.open).toBe(1)
    await lookAway(page)
    await eventually(streams.open).toBe(0)
    const other = await context.newPage()
    await openHistory(other)
    await button(other, 'Log out').click()
    await heading(page, 'Sign in to Postrider').waitFor()
    await lookAgain(page)
    await heading(page, 'Sign in to Postrider').waitFor()
    expect(streams.asked()).toBe(1)
  })

  it('with the inbox still counts in its title what is unread', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { inbox } = await aReader(page, site, [{ subject: 'A question' }])
    const streams = countStreams(page)
    await openWithStoppedClock(page, '/inbox', rows(page).first())
    await eventually(streams.open).toBe(1)
    await lookAway(page)
    await passTime(page, 10_000)
    await eventually(streams.open).toBe(0)
    await receive(site, inbox, { subject: 'News from outside' })
    await passTimeUntil(page, async () => (await page.title()).startsWith('Inbox (1)'), 5_000)
    expect(streams.asked()).toBe(1)
  })
})
