import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import {
  addRecipients,
  openComposer,
  paste,
  recipientInput,
  saved,
  sendButton,
  type Writer,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import type { Site } from './site.ts'
import { answerWith, button, heading, holdBack, link } from './steps.ts'
import { suppress } from './suppressions-steps.ts'
import { openWithStoppedClock, passTime, passTimeUntil } from './time.ts'
import { expectToast } from './toasts.ts'

const CHECK = '/api/suppressions/check'

async function openWithList(page: Page, site: Site, ...list: string[]): Promise<Writer> {
  const writer = await openComposer(page, site)
  await suppress(
    site,
    writer.userId,
    list.map((address) => ({ address, reason: 'unsubscribed' })),
  )
  return writer
}

/** What was asked about, request by request. */
function questions(page: Page): string[][] {
  const asked: string[][] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === CHECK) asked.push(request.postDataJSON().recipients)
  })
  return asked
}

describe('who is on the suppression list', () => {
  it('is told beside the send button and marked among the recipients, and left out', async ({
    page,
    site,
  }) => {
    await openWithList(page, site, 'tired@example.test')
    await write(page, { to: ['ann@example.test', 'Tired <TIRED@example.test>'] })
    await page.getByText('To 1 person · 1 suppressed and left out').waitFor()
    const [ann, tired] = await page
      .getByRole('list', { name: 'Added recipients' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(tired).toContain('suppressed, will be left out')
    expect(ann).not.toContain('left out')
    await button(page, '1 suppressed and left out').click()
    const who = page.getByRole('dialog', { name: 'Suppressed and left out' })
    await eventually(() => who.getByRole('listitem').allInnerTexts()).toEqual(['Tired <TIRED@example.test>'])
    await page.keyboard.press('Escape')
    await sendButton(page).click()
    const told = await expectToast(page, 'Email Sent', 'Successfully sent to 1 recipient(s)')
    expect(told[2]).toContain('1 address was left out')
    await eventually(() => page.getByText('suppressed and left out').count()).toBe(0)
  })

  it('and alone on it, is not said to have been sent anything', async ({ page, site }) => {
    await openWithList(page, site, 'tired@example.test')
    await write(page, { to: ['tired@example.test'] })
    await page.getByText('Nobody would get this email').waitFor()
    await sendButton(page).click()
    await expectToast(page, 'Nobody Was Sent This', 'Everybody you named is on the suppression list')
  })

  it('is listed up to twenty, with the way to the list', { tags: 'thorough' }, async ({ page, site }) => {
    const many = Array.from({ length: 23 }, (_, n) => `reader${n + 1}@example.test`)
    await openWithList(page, site, ...many)
    await paste(recipientInput(page), many.join('\n'))
    await page.getByText('Nobody would get this email · 23 suppressed and left out').waitFor()
    await button(page, '23 suppressed and left out').click()
    const who = page.getByRole('dialog', { name: 'Suppressed and left out' })
    await eventually(() => who.getByRole('listitem').count()).toBe(21)
    await who.getByText('and 3 more').waitFor()
    await saved(page)
    await link(page, 'Suppression List').click()
    await heading(page, 'Suppression List').waitFor()
  })

  it('is asked once, and again by whoever comes back after a minute', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const { userId } = await openComposer(page, site)
    const asked = questions(page)
    await openWithStoppedClock(page, '/compose')
    await addRecipients(page, 'ann@example.test')
    await passTime(page, 399)
    expect(asked).toEqual([])
    await addRecipients(page, 'bob@example.test')
    await passTime(page, 400)
    await passTimeUntil(page, async () => asked.length === 1)
    expect(asked).toEqual([['ann@example.test', 'bob@example.test']])
    await addRecipients(page, 'carl@example.test')
    await passTime(page, 400)
    await passTimeUntil(page, async () => asked.length === 2)
    expect(asked[1]).toEqual(['carl@example.test'])
    // A save that is under way when a minute passes at once would be given up, although its answer is near.
    await passTime(page, 1_000)
    await passTimeUntil(page, async () => (await page.getByText('Saved just now').count()) === 1)

    await suppress(site, userId, [{ address: 'ann@example.test', reason: 'complaint' }])
    const tellWindow = (kind: string) =>
      page.evaluate((name) => void window.dispatchEvent(new Event(name)), kind)
    await tellWindow('blur')
    await passTime(page, 59_000)
    await tellWindow('focus')
    await passTime(page, 1_000)
    expect(asked).toHaveLength(2)
    await tellWindow('blur')
    await passTime(page, 60_000)
    await tellWindow('focus')
    await passTime(page, 400)
    await passTimeUntil(page, async () => (await page.getByText('1 suppressed and left out').count()) === 1)
    expect(asked[2]).toEqual(['ann@example.test', 'bob@example.test', 'carl@example.test'])
  })

  it('need not be known for sending', { tags: 'thorough' }, async ({ page, site, expectRefusal }) => {
    expectRefusal(CHECK)
    await openWithList(page, site, 'tired@example.test')
    await answerWith(page, CHECK, 503, 'The database cannot be reached')
    const refused = page.waitForResponse(`**${CHECK}`)
    await write(page, { to: ['ann@example.test', 'tired@example.test'] })
    await refused
    await page.getByText('To 2 people').waitFor()
    await sendButton(page).click()
    await expectToast(page, 'Email Sent', 'Successfully sent to 1 recipient(s)')
    await page.unroute(`**${CHECK}`)
    const letThrough = await holdBack(page, CHECK)
    await write(page, { to: ['bob@example.test'], subject: 'More news' })
    await sendButton(page).click()
    await expectToast(page, 'Email Sent', 'Successfully sent to 1 recipient(s)')
    await letThrough()
  })
})
