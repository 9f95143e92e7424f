import { describe, expect } from 'vitest'
import {
  aWriter,
  DRAFTS,
  draftIn,
  draftsButton,
  draftsOf,
  message,
  openComposer,
  paste,
  recipientInput,
  SENDER,
  saved,
  storeDraft,
  write,
} from './compose-steps.ts'
import { eventually, journey as it, PHONE } from './harness.ts'
import { button, field, heading, holdBack, link } from './steps.ts'
import { openWithStoppedClock } from './time.ts'

describe('the sender', () => {
  it('is asked for while the settings lack it, with the way there', async ({ page, site }) => {
    await (await aWriter(site, { sender: null })).signIn(page.context())
    await page.goto('/compose')
    const notice = page.getByRole('alert').filter({ hasText: 'Sender Information Required' })
    await notice.getByText('configure your sender name and email in settings').waitFor()
    await link(page, 'Configure Settings').click()
    await heading(page, 'Settings').waitFor()
  })

  it('is shown as recipients see it, and prefills what can be changed for this email', async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    const sender = page.getByRole('region', { name: 'Sender' })
    await sender.getByText(`From: ${SENDER.fromName} <mail@postrider.localhost>`).waitFor()
    await sender.getByText(`Replies to: ${SENDER.fromEmail}`).waitFor()
    await sender.getByText('verified domain').waitFor()
    expect(await link(page, 'Settings').last().getAttribute('href')).toBe('/settings')
    await button(page, 'Change for this email').click()
    expect(await field(page, 'Sender Name').inputValue()).toBe(SENDER.fromName)
    expect(await field(page, 'Reply-To Email').inputValue()).toBe(SENDER.fromEmail)
    await field(page, 'Sender Name').fill('Somebody else')
    await sender.getByText('From: Somebody else <mail@postrider.localhost>').waitFor()
  })

  it('is prefilled once: what is emptied by hand stays empty', async ({ page, site }) => {
    await openComposer(page, site)
    await button(page, 'Change for this email').click()
    await field(page, 'Sender Name').fill('')
    await field(page, 'Reply-To Email').fill('')
    await write(page)
    await saved(page)
    expect(await field(page, 'Sender Name').inputValue()).toBe('')
  })

  it('is their own address once it is switched on', { tags: 'thorough' }, async ({ page, site }) => {
    const sender = {
      ...SENDER,
      provider: 'smtp',
      smtpHost: 'smtp.example.test',
      smtpPort: 587,
      smtpUser: 'ann',
      smtpPassword: 'a password',
      sendFromOwnAddress: true,
    }
    await (await aWriter(site, { sender })).signIn(page.context())
    await page.goto('/compose')
    await page.getByText(`From: ${SENDER.fromName} <${SENDER.fromEmail}>`).waitFor()
    await page.getByText('Mail goes out from your own address, and replies come back to it.').waitFor()
    await button(page, 'Change for this email').click()
    await field(page, 'Reply-To Email').fill('office@example.test')
    await page.getByText('Mail goes out from your own address. Replies go to the other one').waitFor()
  })
})

it('says in one line that the draft is saved, however much there is to say beside it', {
  tags: 'thorough',
}, async ({ page, site }) => {
  await openComposer(page, site)
  await paste(recipientInput(page), 'bob@x.test, bob@x.test, nonsense,')
  await page.getByText('1 duplicate ignored · 1 address looks wrong').waitFor()
  const words = page.getByText('Saved just now')
  await words.waitFor()
  expect(await words.evaluate((element) => element.getClientRects().length)).toBe(1)
})

describe('the message', () => {
  it('is counted while it is typed, and the limit is named when it is near', async ({ page, site }) => {
    await openComposer(page, site)
    await page.getByText('0 characters', { exact: true }).waitFor()
    await message(page).pressSequentially('Hello')
    await page.getByText('5 characters', { exact: true }).waitFor()
    await message(page).fill('x'.repeat(99_000))
    await page.getByText('99,000 of 100,000 characters').waitFor()
    await message(page).fill('x'.repeat(100_007))
    await page.getByText('100,007 characters, 7 more than the 100,000 that can be sent').waitFor()
  })

  it('is previewed as the recipient sees it, where nothing can run and nothing leads out', async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    await write(page, { subject: 'Look', body: 'Hello <b>you</b>\n\nsee https://example.test/a. Bye' })
    await button(page, 'Preview').click()
    const dialog = page.getByRole('dialog', { name: 'Preview' })
    await dialog.getByText('Look', { exact: true }).waitFor()
    await dialog.getByText(`${SENDER.fromName} <mail@postrider.localhost>`).waitFor()
    const mail = page.frameLocator('iframe')
    await eventually(() => mail.locator('p').allInnerTexts()).toEqual([
      'Hello <b>you</b>',
      'see https://example.test/a. Bye',
    ])
    expect(await mail.getByRole('link').getAttribute('href')).toBe('https://example.test/a')
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('')
    await dialog.getByRole('tab', { name: 'As plain text' }).click()
    await dialog.getByText('Hello <b>you</b>').waitFor()
  })
})

describe('the Compose screen', () => {
  for (const width of [1280, PHONE.width])
    it(`stands still at ${width} px when the settings arrive`, { tags: 'thorough' }, async ({
      page,
      site,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      await (await aWriter(site)).signIn(page.context())
      const letThrough = await holdBack(page, '/api/settings')
      await page.goto('/compose')
      const topOf = async () => (await field(page, 'Subject').boundingBox())?.y
      await field(page, 'Subject').waitFor()
      const before = await topOf()
      await letThrough()
      await page.getByText('Replies to:').waitFor()
      expect(await topOf()).toBe(before)
    })

  it('keeps its actions in sight on a phone, and covers nothing that has the keyboard', async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: PHONE.width, height: 480 })
    await openComposer(page, site)
    for (const control of [field(page, 'Recipients'), field(page, 'Subject'), message(page)]) {
      await control.focus()
      const inSight = () =>
        page.evaluate(() => {
          const { left, right, top } = document.activeElement?.getBoundingClientRect() ?? new DOMRect()
          return (
            document.activeElement?.contains(document.elementFromPoint((left + right) / 2, top + 4)) ?? false
          )
        })
      await eventually(inSight).toBe(true)
      for (const name of ['Send Email', 'Save Draft']) {
        const box = await button(page, name).boundingBox()
        expect((box?.y ?? 999) + (box?.height ?? 0), name).toBeLessThanOrEqual(480)
      }
    }
  })
})

describe('leaving', () => {
  it('needs no question when the draft holds everything', { tags: 'thorough' }, async ({ page, site }) => {
    await openComposer(page, site)
    await write(page)
    await saved(page)
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
  })

  it('saves on its way what was typed a moment ago', async ({ page, site }) => {
    const writer = await aWriter(site)
    await writer.signIn(page.context())
    // Time stands still: it is saved because of the way out, and however long that takes nobody is asked.
    await openWithStoppedClock(page, '/compose', page.getByRole('region', { name: 'Sender' }))
    await write(page, { subject: 'On the way out' })
    await page.getByTestId('link-history').click()
    await heading(page, 'Email History').waitFor()
    expect(await draftsOf(writer)).toMatchObject([{ subject: 'On the way out' }])
  })

  it('with words that cannot be saved asks first; staying keeps them, going lets them go', async ({
    page,
    site,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    const id = await storeDraft(site, writer, { subject: 'Kept' })
    expectRefusal(`${DRAFTS}/${id}`)
    await draftsButton(page).click()
    await page.getByRole('link', { name: /Kept/ }).click()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Kept')
    await page.route(`**${DRAFTS}/${id}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.fallback(),
    )
    await message(page).fill('Precious')
    await page.getByTestId('link-history').click()
    const question = page.getByRole('dialog', { name: 'Leave this email?' })
    // Who is still typing answers with the next Enter, and must not lose by it.
    await eventually(() => page.locator(':focus').innerText()).toBe('Keep Editing')
    await question.getByRole('button', { name: 'Keep Editing' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await message(page).inputValue()).toBe('Precious')
    await page.evaluate(() => history.back())
    await question.getByRole('button', { name: 'Keep Editing' }).click()
    expect(draftIn(page)).toBe(id)
    await page.getByTestId('link-history').click()
    await question.getByRole('button', { name: 'Leave Without Saving' }).click()
    await heading(page, 'Email History').waitFor()
  })

  it('goes on by itself when a save that took long succeeds after all', { tags: 'thorough' }, async ({
    page,
    site,
  }) => {
    const writer = await openComposer(page, site)
    const letThrough = await holdBack(page, `${DRAFTS}/*`)
    await message(page).fill('Precious')
    await page.getByTestId('link-history').click()
    const question = page.getByRole('dialog', { name: 'Leave this email?' })
    await question.waitFor()
    await letThrough()
    await heading(page, 'Email History').waitFor()
    expect(await question.count()).toBe(0)
    expect((await draftsOf(writer)).length).toBe(1)
  })

  it('by closing the tab is asked about by the browser while anything is unsaved, and only then', async ({
    page,
    site,
  }) => {
    await openComposer(page, site)
    const asks = () =>
      page.evaluate(() => {
        const event = new Event('beforeunload', { cancelable: true })
        return !window.dispatchEvent(event)
      })
    expect(await asks()).toBe(false)
    const letThrough = await holdBack(page, `${DRAFTS}/*`)
    await message(page).fill('Unsaved')
    expect(await asks()).toBe(true)
    await letThrough()
    await saved(page)
    expect(await asks()).toBe(false)
  })
})
