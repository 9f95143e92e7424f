import { aMember } from './harness.ts'
import { pastCampaign } from './history-campaigns.ts'
import { ALL_KINDS, AWAY, HEBREW_MAIL, HTML_ANSWER, NEWSLETTER_MAIL, TEXT_ANSWER } from './inbox-letters.ts'
import { inboxOf, type StoredMail, storeMails } from './inbox-mails.ts'
import { frame, LIST, pane, REPLY, replyArea, rows } from './inbox-steps.ts'
import type { State, World } from './state.ts'
import { answerWith, button, holdBack } from './steps.ts'

const LETTER = { subject: 'The autumn letter', body: 'Dear readers,\n\nthe leaves are turning.' }

async function visit({ page, site }: World, mails: readonly StoredMail[], query = ''): Promise<string[]> {
  const member = await aMember(site)
  const inbox = await inboxOf(site, member)
  const campaignId = await pastCampaign(site, member.userId, {
    ...LETTER,
    sentAt: new Date(Date.now() - 9e8),
  })
  const answers = mails.map((mail) => (mail.subject?.includes('autumn') ? { ...mail, campaignId } : mail))
  const ids = mails.length > 0 ? await storeMails(site, inbox, answers) : []
  await member.signIn(page.context())
  await page.goto(`/inbox${query}`)
  return ids
}

/** With the first of these open. */
async function open(
  world: World,
  mail: StoredMail,
  others: readonly StoredMail[] = ALL_KINDS.slice(1),
): Promise<void> {
  await visit(world, [{ ...mail, minutesAgo: 1 }, ...others])
  await rows(world.page).first().click()
  await pane(world.page).getByRole('heading', { name: 'Reply', exact: true }).waitFor()
}

export const INBOX_STATES: State[] = [
  {
    name: 'inbox, full',
    async show(world) {
      await visit(world, ALL_KINDS)
      await rows(world.page).first().waitFor()
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
    name: 'inbox, an empty archive',
    async show(world) {
      await visit(world, ALL_KINDS, '?folder=archived')
      await world.page.getByText('Nothing archived').waitFor()
    },
  },
  {
    name: 'inbox, nothing matches',
    async show(world) {
      await visit(world, ALL_KINDS, '?q=nothing+of+that+kind')
      await world.page.getByText('No matching messages').waitFor()
    },
  },
  {
    name: 'inbox, loading',
    async show(world) {
      await holdBack(world.page, `${LIST}?*`)
      await visit(world, ALL_KINDS)
      await world.page.getByRole('status').filter({ hasText: 'Loading your messages' }).waitFor()
    },
  },
  {
    name: 'inbox that could not be loaded',
    async show(world) {
      world.expectRefusal(LIST)
      await answerWith(world.page, `${LIST}?*`, 503, 'The database cannot be reached')
      await visit(world, ALL_KINDS)
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'inbox, a message that is plain text',
    async show(world) {
      await open(world, TEXT_ANSWER)
      await button(world.page, 'Show quoted text').click()
    },
  },
  {
    name: 'inbox, a message that is HTML',
    async show(world) {
      await open(world, HTML_ANSWER)
      await frame(world.page).contentFrame().getByText('great news').waitFor()
    },
  },
  {
    name: 'inbox, a newsletter',
    async show(world) {
      await open(world, NEWSLETTER_MAIL)
      await frame(world.page).contentFrame().getByText('Harbour Books').waitFor()
      await button(world.page, 'Show images').waitFor()
    },
  },
  { name: 'inbox, a message from the right to the left', show: (world) => open(world, HEBREW_MAIL) },
  {
    name: 'inbox, a conversation',
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
    toast: 'Failed to send reply',
    async show(world) {
      world.expectRefusal(REPLY)
      await answerWith(world.page, REPLY, 503, 'The database cannot be reached')
      await open(world, AWAY)
      await replyArea(world.page).fill('Enjoy your holidays!')
      await button(world.page, 'Send Reply').click()
    },
  },
  {
    name: 'inbox, leaving a reply',
    async show(world) {
      await open(world, HEBREW_MAIL)
      await replyArea(world.page).fill('Half a sentence')
      await world.page.getByTestId('link-history').click()
      await world.page.getByRole('dialog', { name: 'Leave this reply?' }).waitFor()
    },
  },
  {
    name: 'inbox, a message that could not be loaded',
    async show(world) {
      const [id] = await visit(world, ALL_KINDS)
      const { inbox_id: inboxId } = await world.site.db
        .selectFrom('inbox_messages')
        .select('inbox_id')
        .where('id', '=', id ?? '')
        .executeTakeFirstOrThrow()
      const path = `/api/inbox/message/${inboxId}/${id}`
      world.expectRefusal(path)
      await answerWith(world.page, path, 503, 'The database cannot be reached')
      await rows(world.page).first().click()
      await button(world.page, 'Try again').waitFor()
    },
  },
  {
    name: 'inbox, the original of a message',
    async show(world) {
      await open(world, HEBREW_MAIL)
      await world.page.route('**/source', (route) =>
        route.fulfill({ status: 200, body: `Received: from mx.example.test\n${'X-Header: 1\n'.repeat(80)}` }),
      )
      await button(world.page, 'Show original').click()
      await world.page.getByRole('dialog').getByText('Received: from').waitFor()
    },
  },
]
