import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { detail, finished, send } from '../test/campaigns.ts'
import { open } from '../test/inbox.ts'
import type { ReceivedMail } from '../test/mail-reader.ts'
import { answerAs, bring, inboxAddress, received, reply, tryReply } from '../test/replies.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp({ INBOUND_SMTP_PORT: '2525' })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

/** Somebody whose replies come to their inbox, and a campaign of theirs that has arrived. */
async function aCampaign(
  people: string[],
): Promise<{ ann: SignedIn; address: string; id: string; mails: ReceivedMail[] }> {
  const ann = await aUser(running)
  const address = await inboxAddress(ann.browser)
  await ann.browser.post('/api/settings', { provider: 'resend', fromName: 'Ann Lee', fromEmail: address })
  const { id } = await send(ann.browser, { recipients: people, subject: 'News', body: 'Hello all' })
  await finished(ann.browser, id)
  return { ann, address, id, mails: await Promise.all(people.map((one) => running.mails.latest(one))) }
}

const token = (address: string): RegExp => new RegExp(`^${address.replace('@', '\\+[\\w-]{48}@')}$`)

it('a campaign is answered, the answer is answered, and all of it is one conversation', async () => {
  const [bob, eve] = [anAddress('bob'), anAddress('eve')]
  const { ann, address, id, mails } = await aCampaign([bob, eve])
  const [first] = mails
  const replyTos = mails.map(({ headers }) => headers['Reply-To'] ?? '')
  for (const replyTo of replyTos) expect(replyTo).toMatch(token(address))
  expect(new Set(replyTos).size).toBe(2)

  expect(await answerAs(running, first ?? { id: '' }, 'Nice, thank you')).toMatchObject({ status: 200 })
  const [message] = await received(ann.browser, 1)
  expect(message).toMatchObject({
    from: { email: bob },
    subject: 'Re: News',
    campaign: { id, subject: 'News' },
  })
  if (!message) throw new Error('no message')
  const rowOf = (messageId: string) =>
    running.db
      .selectFrom('inbox_messages')
      .select(['campaign_id', 'seq', 'conversation_id', 'message_id'])
      .where('id', '=', messageId)
      .executeTakeFirstOrThrow()
  const asked = await rowOf(message.messageId)
  expect(asked).toMatchObject({ campaign_id: id, seq: 1 })

  const replyId = await reply(ann.browser, message, 'You are\nwelcome')
  await finished(ann.browser, replyId)
  const mail = await running.mails.latest(bob, 2)
  const raw = (await running.browser().get(`/local-mailbox/messages/${mail.id}/source`)).text
  expect(mail).toMatchObject({
    to: bob,
    from: 'Ann Lee <mail@postrider.localhost>',
    subject: 'Re: News',
    headers: {
      'In-Reply-To': asked.message_id,
      References: `${first?.headers['Message-ID']} ${asked.message_id}`,
      'Reply-To': expect.stringMatching(token(address)),
    },
  })
  expect(raw).toContain(`\r\nIn-Reply-To: ${asked.message_id}\r\n`)
  expect(mail.headers['List-Unsubscribe']).toBeUndefined()
  expect(mail.text).toMatch(
    /^You are\nwelcome\n\nOn .* UTC, bob\d+@example\.test wrote:\n> Nice, thank you\n>\n> On .* wrote:\n>> Hello all\n/,
  )
  expect(mail.html).toMatch(/<blockquote type="cite"[^>]*>\n<p dir="auto">Nice, thank you<\/p>/)
  expect((await detail(ann.browser, replyId)).replyTo).toBe(address)

  expect(await answerAs(running, mail, 'And again')).toMatchObject({ status: 200 })
  const [again] = await received(ann.browser, 2)
  if (!again) throw new Error('no second message')
  expect(again).toMatchObject({ subject: 'Re: News', campaign: { id } })
  expect(await rowOf(again.messageId)).toMatchObject({
    campaign_id: replyId,
    seq: 1,
    conversation_id: asked.conversation_id,
  })
  const { conversation } = await open(ann.browser, again)
  expect(conversation.filter(({ kind }) => kind === 'received')).toMatchObject([
    { messageId: message.messageId },
  ])
  expect(conversation).toContainEqual(expect.objectContaining({ kind: 'sent', campaignId: replyId, to: bob }))
})

it('an answer tells by its address alone which mail it answers', async () => {
  const bob = anAddress('bob')
  const { ann, id, mails } = await aCampaign([anAddress(), bob])
  const to = mails[1]?.headers['Reply-To'] ?? ''
  await bring(
    port,
    { from: bob, to },
    `From: ${bob}\nTo: ${to}\nSubject: Hi\nMessage-ID: <hi@x.test>\n\nHi\n`,
  )
  const [message] = await received(ann.browser, 1)
  expect(message).toMatchObject({ campaign: { id } })
  const rows = await running.db
    .selectFrom('inbox_messages')
    .select('seq')
    .where('id', '=', message?.messageId ?? '')
    .execute()
  expect(rows).toEqual([{ seq: 2 }])
})

it('a reply-to that is another’s inbox, or none, has no token', async () => {
  const [ann, eve] = [await aUser(running), await aUser(running)]
  for (const replyTo of [await inboxAddress(eve.browser), 'ann@corp.test']) {
    const to = anAddress()
    await send(ann.browser, { recipients: [to], replyTo })
    expect((await running.mails.latest(to)).headers['Reply-To']).toBe(replyTo)
  }
})

describe('a reply', () => {
  async function aMessage() {
    const bob = anAddress('bob')
    const campaign = await aCampaign([bob])
    await answerAs(running, campaign.mails[0] ?? { id: '' }, 'A question')
    const [message] = await received(campaign.ann.browser, 1)
    if (!message) throw new Error('no message')
    return { ...campaign, bob, message }
  }
  const replies = (messageId: string) =>
    running.db.selectFrom('campaigns').select('id').where('answers_message_id', '=', messageId).execute()

  it.each([[{}], [{ 'idempotency-key': 'one-click' }]])(
    'that is sent twenty times at once is one (%j)',
    async (headers: Record<string, string>) => {
      const { ann, bob, message } = await aMessage()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => tryReply(ann.browser, message, 'Yes', headers)),
      )
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers[0]?.status).toBe(200)
      expect(await replies(message.messageId)).toHaveLength(1)
      await running.settled()
      expect(await running.mails.all(bob)).toHaveLength(2)
    },
  )

  it('of other words is another, and so are the same words a minute later', async () => {
    const { ann, message } = await aMessage()
    const first = await reply(ann.browser, message, 'Yes')
    expect(await reply(ann.browser, message, 'Yes ')).toBe(first)
    expect(await reply(ann.browser, message, 'No')).not.toBe(first)
    const key = await tryReply(ann.browser, message, 'Yes', { 'idempotency-key': 'k' })
    expect(key.json()).not.toEqual({ id: first })
    expect(await tryReply(ann.browser, message, 'No', { 'idempotency-key': 'k' })).toMatchObject({
      status: 409,
    })
    await running.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - 61_000) })
      .where('user_id', '=', ann.userId)
      .execute()
    const later = await reply(ann.browser, message, 'Yes')
    expect(later).not.toBe(first)
    expect(await reply(ann.browser, message, 'Yes')).toBe(later)
  })

  it('to somebody on the suppression list is refused, and says where to remove them', async () => {
    const { ann, bob, message } = await aMessage()
    await ann.browser.post('/api/suppressions', { addresses: [bob] })
    expect(await tryReply(ann.browser, message, 'Yes')).toMatchObject({
      status: 409,
      text: `${bob} is on your suppression list, so nothing was sent. To write to them again, remove the address from the Suppression List in Settings`,
    })
    expect(await replies(message.messageId)).toHaveLength(0)
  })

  it('carries a way to leave where the user wants one in every mail', async () => {
    const { ann, address, bob, message } = await aMessage()
    const sender = { provider: 'resend', fromName: 'Ann Lee', fromEmail: address }
    await ann.browser.post('/api/settings', { ...sender, alwaysUnsubscribe: true })
    await reply(ann.browser, message, 'Yes')
    expect((await running.mails.latest(bob, 2)).headers['List-Unsubscribe']).toContain('/u/')
  })

  it('is nobody else’s, and needs words', async () => {
    const { ann, message } = await aMessage()
    const eve = await aUser(running)
    const blank = { status: 400, text: 'Please write something before you send the reply' }
    expect(await tryReply(ann.browser, message, ' \n\t')).toMatchObject(blank)
    const absent = { ...message, messageId: message.inboxId }
    for (const [browser, which] of [
      [eve.browser, message],
      [ann.browser, absent],
      [ann.browser, { ...message, inboxId: 'x' }],
    ] as const)
      expect(await tryReply(browser, which, 'Yes')).toMatchObject({
        status: 404,
        text: 'This message does not exist',
      })
    expect(await tryReply(running.browser(), message, 'Yes')).toMatchObject({ status: 401 })
  })
})
