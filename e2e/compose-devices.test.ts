import { describe, expect } from 'vitest'
import {
  bodyOf,
  DRAFTS,
  draftIn,
  draftsButton,
  draftsOf,
  listedDrafts,
  message,
  openComposer,
  SEND,
  saveDraftButton,
  saved,
  sendButton,
  storeDraft,
  subjectsOf,
  type Writer,
  write,
} from './compose-steps.ts'
import { eventually, journey as it } from './harness.ts'
import { answerWith, button, field } from './steps.ts'
import { stopClockFromNow } from './time.ts'
import { expectToast, toastLines } from './toasts.ts'

const bodiesOf = async (writer: Writer): Promise<string[]> =>
  (await Promise.all((await draftsOf(writer)).map(({ id }) => bodyOf(writer, id)))).sort()

describe('a draft that is open on two devices', () => {
  it('keeps what was written on each of them', async ({ page, site, expectRefusal }) => {
    const writer = await openComposer(page, site)
    await write(page, { body: 'Begun at work' })
    await saved(page)
    const id = draftIn(page)
    await storeDraft(site, writer, { id, body: 'Rewritten at home' })
    expectRefusal(`${DRAFTS}/${id}`)
    await message(page).press('End')
    await message(page).pressSequentially('!')
    await expectToast(
      page,
      'Kept as Another Draft',
      'This draft was changed elsewhere. What you write here is saved beside it.',
    )
    await eventually(() => bodiesOf(writer)).toEqual(['Begun at work!', 'Rewritten at home'])
    expect(await bodyOf(writer, id)).toBe('Rewritten at home')
    await eventually(() => bodyOf(writer, draftIn(page))).toBe('Begun at work!')
    await message(page).fill('Written on')
    await eventually(() => bodiesOf(writer)).toEqual(['Rewritten at home', 'Written on'])
  })

  it('that was deleted on the one is there again once it is saved by hand on the other', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const writer = await openComposer(page, site)
    await write(page, { body: 'Begun at work' })
    await saved(page)
    const id = draftIn(page)
    await writer.client.send({
      method: 'DELETE',
      path: `${DRAFTS}/${id}`,
      headers: { origin: site.origin },
    })
    expect(await draftsOf(writer)).toEqual([])
    await saveDraftButton(page).click()
    await eventually(() => bodiesOf(writer)).toEqual(['Begun at work'])
    await saved(page)
  })

  it('is not deleted on the one by whoever empties the sheet on the other', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    await message(page).fill('Begun at work')
    await saved(page)
    const id = draftIn(page)
    // Read from the server, which must not be what is shown later.
    await page.reload()
    await eventually(() => message(page).inputValue()).toBe('Begun at work')
    await storeDraft(site, writer, { id, body: 'Rewritten at home' })
    expectRefusal(`${DRAFTS}/${id}`)
    await message(page).fill('')
    await expectToast(page, 'Draft Not Deleted', 'It was changed elsewhere, and stays as it is there.')
    expect(await bodiesOf(writer)).toEqual(['Rewritten at home'])
    // The empty sheet is another email; the way to the draft leads to it again.
    await eventually(() => draftIn(page)).toBe('')
    await draftsButton(page).click()
    await eventually(() => listedDrafts(page)).toEqual(['No subject\n0 recipients · just now'])
    await page.getByRole('link', { name: /No subject/ }).click()
    await eventually(() => message(page).inputValue()).toBe('Rewritten at home')
  })

  it('is told apart in the list from the one that goes on here', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    await field(page, 'Subject').fill('Begun')
    await saved(page)
    const id = draftIn(page)
    // Opened, not begun here.
    await page.reload()
    await eventually(() => field(page, 'Subject').inputValue()).toBe('Begun')
    await storeDraft(site, writer, { id, subject: 'From home' })
    expectRefusal(`${DRAFTS}/${id}`)
    await field(page, 'Subject').fill('From work')
    await expectToast(page, 'Kept as Another Draft')
    await eventually(() => ['', id].includes(draftIn(page))).toBe(false)
    await draftsButton(page).click()
    await eventually(() => listedDrafts(page)).toEqual([
      'From work\nOpen now · 0 recipients · just now',
      'From home\n0 recipients · just now',
    ])
  })

  it('is not sent by the press that finds out that it was changed elsewhere, but by the next', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Helo' })
    await saved(page)
    const id = draftIn(page)
    await storeDraft(site, writer, { id, subject: 'From home' })
    expectRefusal(`${DRAFTS}/${id}`)
    // Time stands still: only the save before the send finds out, and the send waits for it.
    await stopClockFromNow(page)
    await field(page, 'Subject').fill('Hello')
    await sendButton(page).click()
    await expectToast(
      page,
      'Not Sent Yet',
      'This draft was changed elsewhere. What stands here is now another draft: press Send Email to send it.',
    )
    await page.clock.resume()
    expect(await subjectsOf(writer)).toEqual([])
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    expect(await subjectsOf(writer)).toEqual(['Hello'])
    expect((await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['From home'])
  })

  it('is not deleted on the one by whoever sends it on the other, and is asked about before it is sent too', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'From work', body: 'Begun at work' })
    await saved(page)
    const id = draftIn(page)
    await storeDraft(site, writer, { id, to: ['bob@example.test'], subject: 'From home', body: 'Rewritten' })
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    expect(await subjectsOf(writer)).toEqual(['From work'])
    expect(await bodiesOf(writer)).toEqual(['Rewritten'])
    await page.goto(`/compose?draft=${id}`)
    await eventually(() => message(page).inputValue()).toBe('Rewritten')
    expectRefusal(SEND)
    await sendButton(page).click()
    await expectToast(page, 'Failed to Send', 'An earlier version was already sent, so this one was not sent')
    await eventually(() => bodiesOf(writer)).toEqual(['Rewritten'])
    await sendButton(page).click()
    await button(page, 'Send Second Email').click()
    await eventually(() => subjectsOf(writer)).toEqual(['From home', 'From work'])
    await eventually(() => draftsOf(writer)).toEqual([])
  })

  it('stays in the tab that only shows it when another tab sends what it was before', {
    tags: 'thorough',
  }, async ({ page, site, context }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'From work', body: 'Begun at work' })
    await saved(page)
    const id = draftIn(page)
    await storeDraft(site, writer, { id, to: ['bob@example.test'], subject: 'From home', body: 'Rewritten' })
    const other = await context.newPage()
    await other.goto(page.url())
    await eventually(() => message(other).inputValue()).toBe('Rewritten')
    await sendButton(page).click()
    await expectToast(page, 'Email Sent')
    await other.getByText('This email was sent before you changed it').waitFor()
    await eventually(() => bodiesOf(writer)).toEqual(['Rewritten'])
    await eventually(() => ['', id].includes(draftIn(other))).toBe(false)
    expect(await message(other).inputValue()).toBe('Rewritten')
  })

  it('is one draft although the answers to its saves were lost', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const writer = await openComposer(page, site)
    // The first save makes it, the second one replaces it.
    for (const [lost, next] of [
      ['One', 'One, two'],
      ['One, two, three', 'One, two, three, four'],
    ] as const) {
      await page.route(`**${DRAFTS}/*`, async (route) => {
        expectRefusal(new URL(route.request().url()).pathname)
        await route.fetch()
        await route.abort('connectionreset')
      })
      await message(page).fill(lost)
      await page.getByText('Draft not saved, trying again.').waitFor()
      await page.unroute(`**${DRAFTS}/*`)
      await message(page).fill(next)
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await saved(page)
      expect(await bodiesOf(writer)).toEqual([next])
    }
    expect(await toastLines(page)).toEqual([])
  })

  it('is asked about where it may have been sent before it was changed on the other one', {
    tags: 'thorough',
  }, async ({ page, site, expectRefusal }) => {
    const writer = await openComposer(page, site)
    await write(page, { subject: 'Helo' })
    await saved(page)
    const id = draftIn(page)
    expectRefusal(SEND)
    await answerWith(page, SEND, 504, 'Gateway Timeout')
    await sendButton(page).click()
    await expectToast(page, 'Failed to Send')
    await page.unroute(`**${SEND}`)
    await storeDraft(site, writer, { id, subject: 'From home' })
    expectRefusal(`${DRAFTS}/${id}`)
    // Time stands still: only the save before the send finds out, and the send waits for it.
    await stopClockFromNow(page)
    await field(page, 'Subject').fill('Hello')
    await sendButton(page).click()
    const question = page.getByRole('dialog', { name: 'Send a second email?' })
    await question.getByText('It is not known whether an earlier version was sent.').waitFor()
    await page.clock.resume()
    await button(page, 'Keep Editing').click()
    await page.getByText('It is not known whether this email was sent before you changed it').waitFor()
    await page.getByText('To 1 person · an earlier version may have been sent').waitFor()
    expect(await subjectsOf(writer)).toEqual([])
    await sendButton(page).click()
    await button(page, 'Send Second Email').click()
    await expectToast(page, 'Email Sent')
    expect(await subjectsOf(writer)).toEqual(['Hello'])
    expect((await draftsOf(writer)).map(({ subject }) => subject)).toEqual(['From home'])
  })
})
