import { describe, expect } from 'vitest'
import { ACTIVITY, aSender, cardLines, finished, pretend, STATS, send } from './dashboard-steps.ts'
import { aMember, eventually, journey as it, PHONE } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { HISTORY, sentEmails, subjects } from './history-steps.ts'
import { answerWith, heading, holdBack, link, pathOf, tryAgain } from './steps.ts'

const CARDS = ['Total Sent', 'Successful', 'Failed', 'Pending']
const RATES = ['Delivery Rate', 'Bounce Rate', 'Spam Rate', 'Open Rate']

describe('the Dashboard', () => {
  it('has its cards in two sections, and says in each that there is nothing yet', async ({ page, site }) => {
    await (await aMember(site)).signIn(page.context())
    await page.goto('/')
    await heading(page, 'Dashboard').waitFor()
    await page.getByText('Overview of your email sending activity').waitFor()
    for (const [section, cards] of [
      ['Sending Stats', CARDS],
      ['Delivery & Engagement Stats', RATES],
    ] as const)
      await eventually(() =>
        page
          .getByRole('region', { name: section, exact: true })
          .getByRole('heading', { level: 3 })
          .allInnerTexts(),
      ).toEqual([...cards])
    expect(await cardLines(page, 'Total Sent')).toEqual(['Total Sent', '0', 'No emails sent yet'])
    expect(await cardLines(page, 'Successful')).toEqual(['Successful', '0', '0.0% success rate'])
    expect(await cardLines(page, 'Failed')).toEqual(['Failed', '0', 'No failures'])
    expect(await cardLines(page, 'Pending')).toEqual(['Pending', '0', 'No pending emails'])
    expect(await cardLines(page, 'Delivery Rate')).toEqual(['Delivery Rate', '0.0%', '0 delivered'])
    expect(await cardLines(page, 'Bounce Rate')).toEqual(['Bounce Rate', '0.0%', '0 bounced'])
    expect(await cardLines(page, 'Spam Rate')).toEqual(['Spam Rate', '0.0%', '0 complaints'])
    expect(await cardLines(page, 'Open Rate')).toEqual(['Open Rate', '0.0%', '0 opened'])
  })

  it('counts what was really sent, by recipients', async ({ page, site }) => {
    const { client } = await aSender(page, site)
    await finished(client, await send(client, 'To one'))
    await finished(client, await send(client, 'To four', 4))
    await page.goto('/')
    await eventually(() => cardLines(page, 'Total Sent')).toEqual(['Total Sent', '5', 'All time'])
    expect(await cardLines(page, 'Successful')).toEqual(['Successful', '5', '100.0% success rate'])
    expect(await cardLines(page, 'Failed')).toEqual(['Failed', '0', '0.0%'])
    expect(await cardLines(page, 'Pending')).toEqual(['Pending', '0', 'No pending emails'])
    await page.getByText('All 5 recipients are accounted for.').waitFor()
    await page.getByRole('button', { name: '5 accepted' }).waitFor()
  })

  it('shows failures, and hides the unconfirmed under nothing', async ({ page, site }) => {
    const sender = await aSender(page, site)
    const spared = { suppressed: 4, cancelled: 30 }
    await pretend(site, sender, 'Doubtful', { accepted: 970, failed: 13, unknown: 11, queued: 6, ...spared })
    await page.goto('/')
    await eventually(() => cardLines(page, 'Total Sent')).toEqual(['Total Sent', '1,000', 'All time'])
    expect(await cardLines(page, 'Successful')).toEqual(['Successful', '970', '98.7% success rate'])
    expect(await cardLines(page, 'Failed')).toEqual(['Failed', '13', '1.3%'])
    expect(await cardLines(page, 'Pending')).toEqual(['Pending', '6', 'In queue'])
    await page
      .getByText(
        '11 unconfirmed: nobody knows whether they were taken · not counted as sent: 4 left out, 30 cancelled',
      )
      .waitFor()
    await page
      .getByRole('button', {
        name: '970 accepted, 13 failed, 11 unconfirmed, 6 waiting, 30 cancelled, 4 left out',
      })
      .first()
      .waitFor()
  })

  it('warns of bounces above 5 percent and of complaints above 0.1, in words too', async ({ page, site }) => {
    const sender = await aSender(page, site)
    const reports = { delivered: 940, opened: 470 }
    await page.setViewportSize(PHONE)
    await pretend(site, sender, 'At the limits', { accepted: 1000, bounced: 50, complained: 1, ...reports })
    await page.goto('/')
    await eventually(() => cardLines(page, 'Bounce Rate')).toEqual(['Bounce Rate', '5.0%', '50 bounced'])
    expect(await cardLines(page, 'Spam Rate')).toEqual(['Spam Rate', '0.1%', '1 complaints'])
    expect(await cardLines(page, 'Open Rate')).toEqual(['Open Rate', '50.0%', '470 opened'])
    expect(await page.locator('[data-alarm]').count()).toBe(0)
    await pretend(site, sender, 'Beyond them', { accepted: 1000, bounced: 52, complained: 4 })
    await page.reload()
    await eventually(async () => (await cardLines(page, 'Bounce Rate')).join(' ')).toBe(
      'Bounce Rate 5.1% 102 bounced Warning: above 5%',
    )
    expect((await cardLines(page, 'Spam Rate')).join(' ')).toBe(
      'Spam Rate 0.25% 5 complaints Danger: above 0.1%',
    )
    const grounds = await page
      .locator('[data-alarm]')
      .evaluateAll((cards) => cards.map((card) => getComputedStyle(card).backgroundColor))
    expect(new Set([...grounds, 'rgb(255, 255, 255)']).size).toBe(3)
  })

  for (const width of [1280, PHONE.width])
    it(`stands still at ${width} px when its numbers arrive`, {
      tags: width === 1280 ? [] : 'thorough',
    }, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 900 })
      const { client } = await aSender(page, site)
      await finished(client, await send(client, 'To three', 3))
      const gates = [STATS, `${ACTIVITY}?*`, `${HISTORY}?*`].map((path) => holdBack(page, path))
      const letThrough = await Promise.all(gates)
      await page.goto('/')
      await page.getByText('Loading activity data...').waitFor()
      const boxes = () =>
        page.locator('main h1, main h2, main section').evaluateAll((elements) =>
          elements.map((element) => {
            const { left, top, width, height } = element.getBoundingClientRect()
            return [left, top, width, height].map(Math.round)
          }),
        )
      const before = await boxes()
      const cards = await page
        .locator('.animate-pulse:not(:empty)')
        .evaluateAll((elements) => elements.map((element) => Math.round(element.getBoundingClientRect().top)))
      expect(cards.length).toBe(8)
      if (width === 1280) expect(new Set(cards).size, 'two rows of four').toBe(2)
      for (const letOne of letThrough) await letOne()
      await eventually(() => cardLines(page, 'Total Sent')).toEqual(['Total Sent', '3', 'All time'])
      await page.getByText('Nothing is on its way right now.').waitFor()
      await page.getByRole('table').waitFor({ state: 'attached' })
      expect(await boxes()).toEqual(before)
    })

  it('says of each part that could not be loaded, and tries that again', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const { client } = await aSender(page, site)
    await finished(client, await send(client, 'To three', 3))
    const parts = [
      [STATS, STATS, 'Your statistics could not be loaded'],
      [ACTIVITY, `${ACTIVITY}?*`, 'Your activity could not be loaded'],
      [HISTORY, `${HISTORY}?*`, 'What is being sent could not be loaded'],
    ] as const
    // Each is tried again by its button, not because of news.
    await holdBack(page, '/api/events')
    for (const [path, pattern] of parts) {
      expectRefusal(path)
      await answerWith(page, pattern, 503, 'The database cannot be reached')
    }
    await page.goto('/')
    for (const [, pattern, title] of parts) {
      const alert = page.getByRole('alert').filter({ hasText: title })
      await alert.getByText('503: The database cannot be reached').waitFor()
      await tryAgain(page, pattern, alert)
      await alert.waitFor({ state: 'detached' })
    }
    expect(await cardLines(page, 'Total Sent')).toEqual(['Total Sent', '3', 'All time'])
  })
})

it('claims no more than it has counted of what is in progress, and leads to all of it', {
  tags: 'thorough',
}, async ({ page, site }) => {
  const { member } = await aSender(page, site)
  for (let count = 0; count < 52; count += 1)
    await pastCampaign(site, member.userId, { subject: 'Waiting', letters: { q: 1 } })
  await pastCampaign(site, member.userId, { subject: 'Done long ago' })
  await page.goto('/')
  const card = page.getByRole('region', { name: 'In Progress' })
  await card.getByRole('link', { name: '46+ more in History' }).click()
  await heading(page, 'Email History').waitFor()
  await sentEmails(page).getByRole('link', { name: 'Waiting' }).first().waitFor()
  expect(new URL(page.url()).search).toBe('?status=pending')
  expect(new Set(await subjects(page))).toEqual(new Set(['Waiting']))
})

describe('somebody new', () => {
  it('is led to the first email in three steps, which are gone after it', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const member = await aMember(site)
    await member.signIn(page.context())
    await page.goto('/')
    const steps = page.getByRole('region', { name: 'Three steps to your first email' })
    const current = steps.locator('[aria-current=step]')
    await eventually(() => steps.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Add your sender information',
      'Write your first email',
      'Watch it arrive',
    ])
    await current.getByRole('heading', { name: 'Add your sender information' }).waitFor()
    await link(page, 'Open Settings').click()
    await heading(page, 'Settings').waitFor()

    const client = await member.client()
    const answer = await client.post('/api/settings', { fromName: 'Ann', fromEmail: member.email })
    expect(answer.status, answer.text).toBe(200)
    await page.goto('/')
    await steps.getByRole('heading', { name: 'Add your sender information (done)' }).waitFor()
    await current.getByRole('heading', { name: 'Write your first email' }).waitFor()
    await current.getByRole('link', { name: 'Compose' }).press('Enter')
    await eventually(() => pathOf(page)).toBe('/compose')

    await page.getByTestId('link-dashboard').click()
    await steps.waitFor()
    // Sent from elsewhere: the open page learns of it.
    await send(client, 'The first one')
    await steps.waitFor({ state: 'detached' })
    await eventually(() => cardLines(page, 'Successful')).toEqual(['Successful', '1', '100.0% success rate'])
    await link(page, 'Compose Email').waitFor()
  })
})
