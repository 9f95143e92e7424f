import { describe, expect } from 'vitest'
import { eventually, journey as it } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { storeMails } from './inbox-mails.ts'
import { aReader, fact, folder, pane, receive, row, rows, subject } from './inbox-steps.ts'
import { button, heading, link } from './steps.ts'

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
    const all = (await entries()).map((text) => text.replace(/\s+/g, ' '))
    expect(all).toHaveLength(10)
    expect(all[0]).toMatch(/^You Dear readers Failed /)
    expect(all[1]).toMatch(/^Ann Keller The very first /)
    expect(all.at(-1)).toMatch(/^Reader 7 Thing 7 /)

    await before.getByRole('button', { name: /^You/ }).click()
    await before.getByText('550 5.1.1 No such user here').waitFor()
    await before.getByRole('button', { name: /^Reader 3/ }).click()
    await before.getByText('Thing 3').last().waitFor()
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

  it('of a machine is in a folder of its own', async ({ page, site }) => {
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
