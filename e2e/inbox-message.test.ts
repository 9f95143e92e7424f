import { describe, expect } from 'vitest'
import { framePage } from '../server/inbox/frame.ts'
import { eventually, journey as it } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { storeMails } from './inbox-mails.ts'
import {
  aReader,
  fact,
  folder,
  frame,
  linesOf,
  pane,
  placeOf,
  receive,
  replyArea,
  row,
  rows,
  subject,
  withMails,
} from './inbox-steps.ts'
import type { Site } from './site.ts'
import { answerWith, button, heading, holdBack, isFocused, link, screen, tryAgain } from './steps.ts'
import { nextFrames } from './time.ts'

async function isOpened({ db }: Site, id = ''): Promise<boolean> {
  const query = db.selectFrom('inbox_messages').select('opened_at').where('id', '=', id)
  return (await query.executeTakeFirstOrThrow()).opened_at !== null
}

describe('a message', () => {
  it('shows its subject, From with the real address, To, Date and text, and is read by that', async ({
    page,
    site,
  }) => {
    const reader = await withMails(page, site, [
      { subject: 'Re: The letter', text: 'Yes!\n\nAnn', isUnread: true, to: ['a@x.test', 'b@x.test'] },
    ])
    await row(page, 'Re: The letter').click()
    await subject(page, 'Re: The letter').waitFor()
    expect(await fact(page, 'From')).toBe('Ann Keller <ann@example.test>')
    expect(await fact(page, 'To')).toBe('a@x.test, b@x.test')
    expect(await fact(page, 'Date')).toMatch(/^\d\d\/\d\d\/\d{4}, \d\d:\d\d [AP]M · 5 min ago$/)
    await pane(page).getByRole('group', { name: 'Text of the message' }).getByText('Yes!').waitFor()
    await eventually(async () => (await linesOf(rows(page).first()))[0]).toBe('Ann Keller')
    await eventually(() => page.getByTestId('link-inbox').innerText()).toBe('Inbox')
    await eventually(() => isOpened(site, reader.ids[0])).toBe(true)
    await button(page, 'Mark unread').click()
    await eventually(() => isOpened(site, reader.ids[0])).toBe(false)
    // To be read again later, so it is not on the screen any more.
    await page.getByText('Select a message', { exact: true }).waitFor()
    await row(page, 'Unread').waitFor()
    await eventually(() => rows(page).first().and(page.locator(':focus')).count()).toBe(1)
  })

  it('that was marked as unread elsewhere is read once more, though it is known from before', {
    tags: 'thorough',
  }, async ({ page, site }) => {
    const hear = await holdBack(page, '/api/events')
    const { member, inbox, ids } = await withMails(page, site, [{ subject: 'A question', isUnread: true }])
    await row(page, 'A question').click()
    await replyArea(page).waitFor()
    await eventually(() => isOpened(site, ids[0])).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByText('Select a message', { exact: true }).waitFor()
    const elsewhere = await member.client()
    const changed = await elsewhere.send({
      method: 'PATCH',
      path: `/api/inbox/message/${inbox.inboxId}/${ids[0]}`,
      payload: JSON.stringify({ isUnread: true }),
      headers: { origin: site.origin, 'content-type': 'application/json' },
    })
    expect(changed.status, changed.text).toBe(200)
    await hear()
    await row(page, 'Unread').click()
    await eventually(() => isOpened(site, ids[0])).toBe(true)
    await row(page, 'Unread').waitFor({ state: 'detached' })
  })

  it('that was the last one leaves the keyboard on the screen as it goes', async ({ page, site }) => {
    await withMails(page, site, [{ subject: 'The only one' }])
    await row(page, 'The only one').click()
    await button(page, 'Archive').click()
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
    await eventually(() => isFocused(page, screen(page))).toBe(true)
  })

  it('to many names a few, and the others when asked', async ({ page, site }) => {
    const to = Array.from({ length: 7 }, (_, index) => `reader${index}@example.test`)
    await withMails(page, site, [{ subject: 'To many', to }])
    await row(page, 'To many').click()
    await button(page, '+2 more').click()
    expect(await fact(page, 'To')).toBe(to.join(', '))
    expect(await isFocused(page, pane(page).locator('dd > span').filter({ hasText: 'reader6' }))).toBe(true)
  })

  it("is its HTML if there is any, else its text, else the preview, else 'No content'", async ({
    page,
    site,
  }) => {
    const reader = await withMails(page, site, [
      { subject: 'html', html: '<p>as markup</p>', text: 'as text' },
      { subject: 'text', text: 'as text', preview: 'as preview' },
      { subject: 'preview', text: null, preview: 'as preview' },
      { subject: 'nothing', text: ' ', preview: '' },
      { subject: 'unreadable', text: null, isReadable: false },
    ])
    await row(page, 'html').click()
    await frame(page).contentFrame().getByText('as markup').waitFor()
    expect(await pane(page).getByText('as text').count()).toBe(0)
    await page.goto(placeOf(reader, 1))
    await subject(page, 'text').waitFor()
    await pane(page).getByText('as text').waitFor()
    expect(await frame(page).count()).toBe(0)
    await page.goto(placeOf(reader, 2))
    await pane(page).getByText('as preview').waitFor()
    await page.goto(placeOf(reader, 3))
    await pane(page).getByText('No content', { exact: true }).waitFor()
    await page.goto(placeOf(reader, 4))
    await pane(page).getByText('This message could not be read').waitFor()
  })

  it('that is not here as a whole says so beside its HTML', { tags: 'thorough' }, async ({ page, site }) => {
    const files = [{ name: 'a.pdf', type: 'application/pdf', size: 10 }]
    await withMails(page, site, [
      { subject: 'many', html: '<p>as markup</p>', text: 'as text', files, isReadable: false },
    ])
    await row(page, 'many').click()
    await pane(page).getByText('The end of its text, or some of its files, are not here.').waitFor()
    await frame(page).contentFrame().getByText('as markup').waitFor()
    await pane(page).getByRole('link', { name: 'a.pdf' }).waitFor()
  })

  it('that is not there, or cannot be loaded, says so', { tags: 'thorough' }, async ({
    page,
    site,
    expectRefusal,
  }) => {
    const reader = await aReader(page, site, [{ subject: 'Here I am' }])
    const path = `/api/inbox/message/${reader.inbox.inboxId}`
    const none = '00000000-0000-4000-8000-000000000000'
    expectRefusal(`${path}/${none}`)
    await page.goto(`/inbox?message=${reader.inbox.inboxId}.${none}`)
    await pane(page).getByText('This message is not in your inbox').waitFor()
    await button(page, 'Show all messages').click()
    await eventually(() => new URL(page.url()).search).toBe('')
    await eventually(() => isFocused(page, screen(page))).toBe(true)
    expectRefusal(`${path}/${reader.ids[0]}`)
    await answerWith(page, `${path}/${reader.ids[0]}`, 503, 'The database cannot be reached')
    await row(page, 'Here I am').click()
    await pane(page).getByText('503: The database cannot be reached').waitFor()
    await tryAgain(page, `${path}/${reader.ids[0]}`)
    await subject(page, 'Here I am').waitFor()
  })

  it('shows a newsletter of the usual width without scrolling sideways', { tags: 'thorough' }, async ({
    page,
  }) => {
    const letter = '<table style="min-width:600px"><tr><td style="width:600px">News</td></tr></table>'
    await page.setContent(framePage(letter, { images: false, theme: 'light' }))
    // Where there is a scroll bar, it takes some of the width.
    for (const width of [600, 608, 615, 632, 660]) {
      await page.setViewportSize({ width, height: 400 })
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([width, beyond]).toEqual([width, 0])
    }
  })
})

describe('a conversation', () => {
  it('stands around the message in its order, folded, with what became of our own mails', async ({
    page,
    site,
  }) => {
    const { member, inbox } = await aReader(page, site)
    const sent = { subject: 'The autumn letter', body: 'Dear readers', sentAt: new Date(Date.now() - 9e8) }
    const campaignId = await pastCampaign(site, member.userId, { ...sent, letters: { f: 1 } })
    const [first = ''] = await storeMails(site, inbox, [
      { text: 'The very first', minutesAgo: 9000, campaignId },
    ])
    const earlier = Array.from({ length: 8 }, (_, index) => ({
      ...{ name: `Reader ${index}`, text: `Thing ${index}`, minutesAgo: 5000 - index, conversationId: first },
    }))
    const [shown, later] = await storeMails(site, inbox, [
      { subject: 'Re: all of it', text: 'In the middle', minutesAgo: 60, conversationId: first },
      { name: 'Zoe', text: 'Afterwards', minutesAgo: 2, conversationId: first, isUnread: true },
      ...earlier,
    ])
    await page.goto(`/inbox?message=${inbox.inboxId}.${shown}`)
    await subject(page, 'Re: all of it').waitFor()

    const before = pane(page).getByRole('region', { name: 'Earlier in this conversation' })
    const entries = () => before.getByRole('button', { name: /Reader|Ann|You/ }).allInnerTexts()
    await eventually(async () => (await entries()).length).toBe(5)
    await button(page, 'Show 5 earlier messages').click()
    await eventually(() => isFocused(page, before.getByRole('button', { name: /^Reader 3/ }))).toBe(true)
    const all = (await entries()).map((text) => text.replace(/\s+/g, ' '))
    expect(all).toHaveLength(10)
    expect(all[0]).toMatch(/^You Dear readers Failed /)
    expect(all[1]).toMatch(/^Ann Keller The very first /)
    expect(all.at(-1)).toMatch(/^Reader 7 Thing 7 /)

    await before.getByRole('button', { name: /^You/ }).click()
    await before.getByText('550 5.1.1 No such user here').waitFor()
    await before.getByRole('button', { name: /^Reader 3/ }).click()
    await before.getByText('Thing 3').last().waitFor()
    const changes: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') changes.push(request.postDataJSON())
    })
    const after = pane(page).getByRole('region', { name: 'Later in this conversation' })
    await after.getByRole('button', { name: /^Zoe/ }).click()
    await after.getByText('Afterwards').last().waitFor()
    const isOpened = async () =>
      (
        await site.db
          .selectFrom('inbox_messages')
          .select('opened_at')
          .where('id', '=', later ?? '')
          .executeTakeFirstOrThrow()
      ).opened_at !== null
    await eventually(isOpened).toBe(true)

    // Whoever marks as unread what is unfolded before them means it.
    await row(page, 'Zoe').focus()
    await page.keyboard.press('u')
    await row(page, 'Unread').waitFor()
    await eventually(isOpened).toBe(false)
    await nextFrames(page)
    await eventually(() => changes).toEqual([{ isUnread: false }, { isUnread: true }])
    await link(page, 'The autumn letter').click()
    await heading(page, 'The autumn letter').waitFor()
  })
})

describe('a mail with files', () => {
  it('lists them to be saved, and shows itself as it came', async ({ page, site }) => {
    const { inbox } = await aReader(page, site)
    const part = (type: string, disposition: string, body: string) =>
      `--xx\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}\r\n\r\n${body}`
    await receive(site, inbox, {
      subject: 'With files',
      headers: ['X-Strange: header'],
      type: 'multipart/mixed; boundary=xx',
      body: [
        part('text/plain', 'inline', 'See the list.\r\n\r\nOn Monday Bob wrote:\r\n> Which list?'),
        part('text/csv', 'attachment; filename="list.csv"', 'a,b\r\n1,2'),
        '--xx--',
      ].join('\r\n'),
    })
    await page.goto('/inbox')
    await row(page, 'With files').click()
    const file = pane(page).getByRole('region', { name: 'Attachments' }).getByRole('link')
    expect(await file.innerText()).toMatch(/^list\.csv\s+\d+ bytes/)
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    expect(download.suggestedFilename()).toBe('list.csv')

    expect(await pane(page).getByText('Which list?').count()).toBe(0)
    await button(page, 'Show quoted text').click()
    await pane(page).getByText('Which list?').waitFor()

    await button(page, 'Show original').click()
    const dialog = page.getByRole('dialog', { name: 'Original message' })
    await dialog.getByText('X-Strange: header').waitFor()
    const [original] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(original.suggestedFilename()).toBe('message.eml')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // Escape closed the dialog, not the message.
    await subject(page, 'With files').waitFor()
  })

  it('of a machine is in a folder of its own', { tags: 'thorough' }, async ({ page, site }) => {
    const { inbox } = await aReader(page, site)
    await receive(site, inbox, { subject: 'Away', headers: ['Auto-Submitted: auto-replied'] }, '')
    await page.goto('/inbox')
    await folder(page, 'Automatic replies 1 unread').click()
    await rows(page, 'Automatic replies').click()
    await pane(page).getByText('Written by a machine').waitFor()
    expect(await fact(page, 'From')).toBe('Ann Keller <ann@example.test>')
    await page.getByTestId('link-inbox').click()
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
  })
})
