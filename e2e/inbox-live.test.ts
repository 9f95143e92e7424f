import { describe, expect } from 'vitest'
import { anAddress, eventually, journey as it } from './harness.ts'
import {
  aReader,
  frame,
  pane,
  placeOf,
  receive,
  replyArea,
  row,
  rows,
  searchBox,
  subject,
  unreadWords,
  withMails,
} from './inbox-steps.ts'
import { fillSender, saveButton } from './settings-steps.ts'
import { button, field, heading, isFocused, link, pathOf, screen } from './steps.ts'
import { nextFrames } from './time.ts'
import { expectToast } from './toasts.ts'

describe('the whole circle', () => {
  it('an email is answered, the answer comes in by itself, and is answered in the same thread', async ({
    page,
    context,
    site,
  }) => {
    const bob = anAddress('bob')
    const { member, inbox } = await aReader(page, site)

    // The inbox address becomes the reply-to address.
    await page.goto('/settings')
    await fillSender(page, { fromName: 'Ann Keller', fromEmail: '' })
    await button(page, 'Use as reply-to').click()
    expect(await field(page, 'Reply-To Email').inputValue()).toBe(inbox.address)
    await saveButton(page).click()
    await expectToast(page, 'Settings Saved')
    const client = await member.client()
    await client.post('/api/send-email', {
      recipients: [bob],
      subject: 'The autumn letter',
      body: 'Dear reader',
    })

    // The recipient answers in the local mailbox, while the list is looked at.
    await page.getByTestId('link-inbox').click()
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor()
    const { id } = await site.mails.latest(bob)
    const mailbox = await context.newPage()
    await mailbox.goto(`/local-mailbox?id=${id}&view=text`)
    await mailbox.getByRole('link', { name: 'Reply as the recipient' }).click()
    await mailbox.getByRole('textbox', { name: /^Reply as/ }).fill('Thank you, I am coming!')
    await mailbox.getByRole('button', { name: 'Send reply' }).click()
    await mailbox.getByText('has arrived in the inbox').waitFor()
    await mailbox.close()

    await row(page, 'Re: The autumn letter').waitFor()
    await page.getByText(`New message from ${bob}: Re: The autumn letter`).waitFor({ state: 'attached' })
    await eventually(() => unreadWords(page)).toBe('Inbox 1 unread')
    await row(page, 'Re: The autumn letter').click()
    await pane(page).getByText('Thank you, I am coming!').first().waitFor()
    await pane(page)
      .getByRole('button', { name: /^You Dear reader/ })
      .waitFor()

    await replyArea(page).fill('See you on Sunday.')
    await button(page, 'Send Reply').click()
    await expectToast(page, 'Reply sent')
    const mail = await site.mails.latest(bob, 2)
    expect(mail.subject).toBe('Re: The autumn letter')
    expect(mail.text).toContain('> Thank you, I am coming!')
    expect(mail.headers['References']).toMatch(/^<\S+> <\S+>$/)

    // The campaign knows that it was answered, and leads to the answer.
    await row(page, 'Re: The autumn letter').click()
    await link(page, 'The autumn letter').click()
    await heading(page, 'The autumn letter').waitFor()
    await link(page, '1 reply').click()
    await page.getByText('Answers to').waitFor()
    await rows(page, 'Answers').filter({ hasText: bob }).waitFor()
    await link(page, 'Show all messages').click()
    await rows(page).first().waitFor()
    await eventually(() => isFocused(page, screen(page))).toBe(true)
    expect(pathOf(page)).toBe('/inbox')
  })
})

describe('mail that comes in', () => {
  it('moves nothing that one reads or writes', { tags: 'thorough' }, async ({ page, site }) => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      subject: `Letter ${index}.`,
      minutesAgo: index + 1,
    }))
    const { inbox } = await withMails(page, site, many)
    await row(page, 'Letter 20.').click()
    await subject(page, 'Letter 20.').waitFor()
    await row(page, 'Letter 20.').scrollIntoViewIfNeeded()
    await replyArea(page).fill('Half a sentence')
    // Rows get their real height when they are first in sight.
    await nextFrames(page)
    const place = () => row(page, 'Letter 20.').boundingBox()
    const before = await place()
    await receive(site, inbox, { subject: 'News from outside', body: 'I am new here' })
    await row(page, 'News from outside').waitFor({ state: 'attached' })
    expect(await place()).toEqual(before)
    expect(await isFocused(page, replyArea(page))).toBe(true)
    expect(await replyArea(page).inputValue()).toBe('Half a sentence')
    await eventually(async () => (await page.title()).startsWith('Inbox (1)')).toBe(true)
    expect(await rows(page).first().textContent()).toContain('News from outside')
    await button(page, '1 new message').click()
    await eventually(() => isFocused(page, row(page, 'News from outside'))).toBe(true)
    await button(page, '1 new message').waitFor({ state: 'detached' })
  })

  it('is in another tab as it was left in this one', { tags: 'thorough' }, async ({
    page,
    context,
    site,
    allowRefusal,
  }) => {
    const reader = await withMails(page, site, [
      { subject: 'A question', isUnread: true },
      { subject: 'Another', isUnread: true },
    ])
    // Once it is deleted.
    allowRefusal(`/api/inbox/message/${reader.inbox.inboxId}/${reader.ids[0]}`)
    const other = await context.newPage()
    await other.goto(placeOf(reader))
    await subject(other, 'A question').waitFor()
    await eventually(() => page.title()).toContain('Inbox (1)')

    // Marked as unread here, it stays so although it is open there.
    await row(page, 'A question').click()
    await subject(page, 'A question').waitFor()
    await page.keyboard.press('u')
    await eventually(() => other.title()).toContain('Inbox (2)')
    await row(page, 'Another').click()
    await eventually(() => other.title()).toContain('Inbox (1)')

    // What is deleted here is gone there, but for the words of somebody who is answering it.
    await replyArea(other).fill('Half a sentence')
    await page.keyboard.press('Escape')
    await row(page, 'A question').focus()
    await page.keyboard.press('Delete')
    await row(page, 'A question').waitFor({ state: 'detached' })
    await page.reload()
    await eventually(() => rows(other).count()).toBe(1)
    expect(await replyArea(other).inputValue()).toBe('Half a sentence')
    await replyArea(other).fill('')
    await pane(other).getByText('This message is not in your inbox').waitFor()
  })

  it('is found by its words, also by the beginning of one', { tags: 'thorough' }, async ({ page, site }) => {
    const { inbox } = await aReader(page, site)
    await receive(site, inbox, { subject: 'About the lighthouse', body: 'It is open on Sundays' })
    await receive(site, inbox, {
      from: 'Bob Stone <bob@example.test>',
      subject: 'Else',
      body: 'Nothing of that',
    })
    await page.goto('/inbox')
    await eventually(() => rows(page).count()).toBe(2)
    for (const words of ['lighth', 'sundays', 'ann keller']) {
      await searchBox(page).fill(words)
      await row(page, 'Else').waitFor({ state: 'detached' })
      await row(page, 'About the lighthouse').waitFor()
      await searchBox(page).press('Escape')
      await row(page, 'Else').waitFor()
    }
    await searchBox(page).fill('stone')
    await row(page, 'About the lighthouse').waitFor({ state: 'detached' })
    await row(page, 'Else').click()
    await subject(page, 'Else').waitFor()
    expect(await searchBox(page).inputValue()).toBe('stone')
  })
})

it('a mail that was opened without a connection is there once that is back, and one that was there is left alone', {
  tags: 'thorough',
}, async ({ page, context, site, allowAbsence }) => {
  allowAbsence()
  await withMails(page, site, [
    { subject: 'A question', html: '<p>Look here</p>' },
    { subject: 'Another', html: '<p>And here</p>' },
  ])
  const open = async (text: string) => {
    await row(page, text).click()
    await subject(page, text).waitFor()
  }
  const words = (text: string) => frame(page).contentFrame().getByText(text).waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) asked.push(request.url())
  })
  await open('A question')
  await words('Look here')
  await open('Another')
  await words('And here')
  await context.setOffline(true)
  await context.setOffline(false)
  await nextFrames(page)
  expect(asked).toHaveLength(2)
  await context.setOffline(true)
  await open('A question')
  await eventually(() => asked.length).toBe(3)
  await context.setOffline(false)
  await words('Look here')
})
