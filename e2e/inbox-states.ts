import type { Page } from 'playwright-core'
import { closeOpen, holdForNext, letThrough } from './going-on.ts'
import { aMember, eventually } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { ALL_KINDS, AWAY, HEBREW_MAIL, HTML_ANSWER, NEWSLETTER_MAIL, TEXT_ANSWER } from './inbox-letters.ts'
import { inboxOf, type StoredMail, storeMails } from './inbox-mails.ts'
import { fact, folder, frame, LIST, pane, REPLY, replyArea, row, rows, searchBox } from './inbox-steps.ts'
import type { State, World } from './state.ts'
import { answerWith, button, tryAgain } from './steps.ts'

const LETTER = { subject: 'The autumn letter', body: 'Dear readers,\n\nthe leaves are turning.' }

async function visit({ page, site }: World, mails: readonly StoredMail[]): Promise<string[]> {
  const member = await aMember(site)
  const inbox = await inboxOf(site, member)
  const campaignId = await pastCampaign(site, member.userId, {
    ...LETTER,
    sentAt: new Date(Date.now() - 9e8),
  })
  const answers = mails.map((mail) => (mail.subject?.includes('autumn') ? { ...mail, campaignId } : mail))
  const ids = mails.length > 0 ? await storeMails(site, inbox, answers) : []
  await member.signInOn(page)
  await page.goto('/inbox')
  return ids
}

async function open(page: Page, { name = 'Ann Keller' }: StoredMail): Promise<void> {
  await row(page, name).click()
  // Before, another message may be open there.
  await eventually(() => fact(page, 'From')).toContain(name)
  await pane(page).getByRole('heading', { name: 'Reply', exact: true }).waitFor()
}

export const INBOX_STATES: State[] = [
  {
    name: 'inbox, loading',
    async show(world) {
      await holdForNext(world.page, `${LIST}?*`)
      await visit(world, ALL_KINDS)
      await world.page.getByRole('status').filter({ hasText: 'Loading your messages' }).waitFor()
    },
  },
  {
    name: 'inbox, full',
    goesOn: true,
    async show({ page }) {
      letThrough(page)
      await rows(page).first().waitFor()
    },
  },
  {
    name: 'inbox, an empty archive',
    goesOn: true,
    async show({ page }) {
      await folder(page, 'Archived').click()
      await page.getByText('Nothing archived').waitFor()
    },
  },
  {
    name: 'inbox, nothing matches',
    goesOn: true,
    async show({ page }) {
      await folder(page, /^Inbox/).click()
      await searchBox(page).fill('nothing of that kind')
      await page.getByText('No matching messages').waitFor()
    },
  },
  {
    name: 'inbox, a message that is plain text',
    goesOn: true,
    async show({ page }) {
      await searchBox(page).fill('')
      await open(page, TEXT_ANSWER)
      await button(page, 'Show quoted text').click()
    },
  },
  {
    name: 'inbox, a message that is HTML',
    goesOn: true,
    async show({ page }) {
      await open(page, HTML_ANSWER)
      await frame(page).contentFrame().getByText('great news').waitFor()
    },
  },
  {
    name: 'inbox, a newsletter',
    goesOn: true,
    async show({ page }) {
      await open(page, NEWSLETTER_MAIL)
      await frame(page).contentFrame().getByText('Harbour Books').waitFor()
      await button(page, 'Show images').waitFor()
    },
  },
  {
    name: 'inbox, a message from the right to the left',
    goesOn: true,
    show: ({ page }) => open(page, HEBREW_MAIL),
  },
  {
    name: 'inbox, the original of a message',
    goesOn: true,
    async show({ page }) {
      await page.route('**/source', (route) =>
        route.fulfill({ status: 200, body: `Received: from mx.example.test\n${'X-Header: 1\n'.repeat(80)}` }),
      )
      await button(page, 'Show original').click()
      await page.getByRole('dialog').getByText('Received: from').waitFor()
    },
  },
  {
    name: 'inbox, leaving a reply',
    goesOn: true,
    async show({ page }) {
      await closeOpen(page)
      await replyArea(page).fill('Half a sentence')
      await page.getByTestId('link-history').click()
      await page.getByRole('dialog', { name: 'Leave this reply?' }).waitFor()
    },
  },
  {
    name: 'inbox that could not be loaded',
    rare: true,
    async show(world) {
      world.expectRefusal(LIST)
      await answerWith(world.page, `${LIST}?*`, 503, 'The database cannot be reached')
      await visit(world, ALL_KINDS)
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'inbox, a message that could not be loaded',
    goesOn: true,
    async show({ page, expectRefusal }) {
      await tryAgain(page, `${LIST}?*`)
      const address = await rows(page).first().getAttribute('href')
      const place = new URLSearchParams(address?.split('?')[1]).get('message') ?? ''
      const path = `/api/inbox/message/${place.replace('.', '/')}`
      expectRefusal(path)
      await answerWith(page, path, 503, 'The database cannot be reached')
      await rows(page).first().click()
      await button(page, 'Try again').waitFor()
    },
  },
  {
    name: 'inbox, empty',
    async show(world) {
      await visit(world, [])
      await world.page.getByLabel('Your inbox address', { exact: true }).waitFor()
    },
  },
  {
    name: 'inbox, a conversation',
    rare: true,
    async show(world) {
      const [first = ''] = await visit(world, [
        { ...TEXT_ANSWER, isUnread: false, minutesAgo: 3000 },
        ...ALL_KINDS,
      ])
      const { page, site } = world
      const { inbox_id: inboxId, user_id: userId } = await site.db
        .selectFrom('inbox_messages')
        .select(['inbox_id', 'user_id'])
        .where('id', '=', first)
        .executeTakeFirstOrThrow()
      const earlier = Array.from({ length: 6 }, (_, index) => ({
        ...{
          name: index % 2 === 0 ? 'Ann Keller' : 'Bob Stone',
          conversationId: first,
          minutesAgo: 2000 - index,
        },
        text: `And another thing, number ${index + 1}: what about the cakes?`,
      }))
      const [last] = await storeMails(site, { inboxId, userId, address: 'me@example.test' }, [
        { ...HTML_ANSWER, conversationId: first, minutesAgo: 1 },
        ...earlier,
      ])
      await page.goto(`/inbox?message=${inboxId}.${last}`)
      await button(page, 'Show 3 earlier messages').waitFor()
      await pane(page)
        .getByRole('button', { name: /number 6/ })
        .click()
      await pane(page).getByRole('group', { name: 'Text of the message' }).waitFor()
    },
  },
  {
    name: 'inbox, a reply that failed',
    rare: true,
    toast: 'Failed to send reply',
    async show(world) {
      world.expectRefusal(REPLY)
      await answerWith(world.page, REPLY, 503, 'The database cannot be reached')
      await visit(world, ALL_KINDS)
      await open(world.page, AWAY)
      await replyArea(world.page).fill('Enjoy your holidays!')
      await button(world.page, 'Send Reply').click()
    },
  },
]
