import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { messageIdOf } from '../delivery/identity.ts'
import { createDeliveryTokens } from '../delivery/tokens.ts'
import { createMailReader } from '../mail-reading/mail-reader.ts'
import { createLog } from '../platform/log.ts'
import { createSecrets } from '../platform/secrets.ts'
import { anAddress } from '../test/accounts.ts'
import { detail, finished, send } from '../test/campaigns.ts'
import { allRead, aMail, anOwner, deliver, INBOX_ENV, list, type Owner, open } from '../test/inbox.ts'
import { aRunningApp, type RunningApp, TEST_KEY } from '../test/running-app.ts'
import { createReading } from './read-mail.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

const tokens = createDeliveryTokens(createSecrets(TEST_KEY))

/** A campaign of somebody, which has left. */
async function sent(who: Owner, to: string[]): Promise<string> {
  const { id } = await send(who.browser, { recipients: to, subject: 'Spring sale', body: 'All must go' })
  await finished(who.browser, id)
  return id
}

const withToken = (address: string, campaignId: string, seq: number): string =>
  address.replace('@', `+${tokens.linkToken({ campaignId, seq })}@`)

/** Delivers a mail and finds it again. */
async function arrives(who: Owner, headers: Record<string, string>, to = who.address): Promise<InboxItem> {
  const subject = `Mail ${Math.random()}`
  await deliver(port, to, aMail({ Subject: subject, ...headers }))
  await allRead(running)
  for (const folder of ['inbox', 'automatic']) {
    const item = (await list(who.browser, `?folder=${folder}`)).find((one) => one.subject === subject)
    if (item) return item
  }
  throw new Error('the mail did not arrive')
}

const rowOf = ({ messageId }: InboxItem) =>
  running.db
    .selectFrom('inbox_messages')
    .select(['conversation_id', 'campaign_id', 'seq'])
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow()
const conversationOf = async (item: InboxItem): Promise<string> => (await rowOf(item)).conversation_id
const isOneConversation = async (...items: InboxItem[]): Promise<boolean> =>
  new Set(await Promise.all(items.map(conversationOf))).size === 1

describe('a mail that answers a campaign', () => {
  it.each(['the token in its address', 'In-Reply-To', 'References'])('is known by %s', async (how) => {
    const ann = await anOwner(running)
    const [bob, eve] = [anAddress('bob'), anAddress('eve')]
    const id = await sent(ann, [bob, eve])
    const ours = messageIdOf(id, 2, 'postrider.localhost')
    const item =
      how === 'the token in its address'
        ? await arrives(ann, {}, withToken(ann.address, id, 2))
        : await arrives(ann, { From: eve, [how]: how === 'References' ? `${ours} <unknown@x.test>` : ours })
    expect(item.campaign).toEqual({ id, subject: 'Spring sale' })
    const { conversation } = await open(ann.browser, item)
    expect(conversation).toMatchObject([
      {
        kind: 'sent',
        campaignId: id,
        to: eve,
        subject: 'Spring sale',
        text: 'All must go',
        state: 'accepted',
        reason: null,
      },
    ])
    expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 1, automatic: 0 } })
  })

  it('is known by the id that a provider has given in place of ours', async () => {
    const ann = await anOwner(running)
    const bob = anAddress('bob')
    const id = await sent(ann, [bob])
    await running.db
      .updateTable('deliveries')
      .set({ provider_id: '0100-abc' })
      .where('campaign_id', '=', id)
      .execute()
    const headers = {
      From: `Bob <${bob.toUpperCase()}>`,
      'In-Reply-To': '<0100-abc@eu-west-1.amazonses.com>',
    }
    expect((await arrives(ann, headers)).campaign).toMatchObject({ id })
    // Nobody else was sent this mail.
    expect((await arrives(ann, { ...headers, From: 'eve@example.test' })).campaign).toBeNull()
  })

  it('is that of its recipient, whose conversation nobody else enters by an id that can be guessed', async () => {
    const ann = await anOwner(running)
    const [bob, eve] = [anAddress('bob'), anAddress('eve')]
    const id = await sent(ann, [bob, eve])
    const ours = messageIdOf(id, 1, 'postrider.localhost')
    const his = await arrives(ann, {
      From: `Bob <${bob.toUpperCase()}>`,
      'Message-ID': '<his@x.test>',
      'In-Reply-To': ours,
    })
    const hers = await arrives(ann, { From: eve, 'In-Reply-To': ours, References: ours })
    expect(his.campaign).toMatchObject({ id })
    expect(hers.campaign).toBeNull()
    expect(await conversationOf(hers)).toBe(hers.messageId)
    expect((await open(ann.browser, hers)).conversation).toEqual([])
    expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 1 } })
    // Bob himself, from another address of his: the address that was made for him, or his own mail before it, tells.
    const elsewhere = { From: anAddress('bob-at-home'), 'In-Reply-To': ours }
    const byToken = await arrives(ann, elsewhere, withToken(ann.address, id, 1))
    expect(await isOneConversation(his, byToken)).toBe(true)
    const further = await arrives(ann, { ...elsewhere, References: `<his@x.test> ${ours}` })
    expect(await isOneConversation(his, further)).toBe(true)
    expect(await isOneConversation(his, await arrives(ann, elsewhere))).toBe(false)
  })

  it('is drawn into no conversation of somebody else whose own id is that of the mail', async () => {
    const ann = await anOwner(running)
    const id = await sent(ann, [anAddress('bob'), anAddress('eve')])
    const ours = messageIdOf(id, 1, 'postrider.localhost')
    // Bob, from an address that nobody knows as his.
    const his = { From: anAddress('bob-at-home'), 'In-Reply-To': ours }
    const before = await arrives(ann, his)
    const hers = await arrives(ann, { From: anAddress('eve'), 'Message-ID': ours })
    const after = await arrives(ann, his)
    for (const one of [before, hers, after]) expect(await conversationOf(one)).toBe(one.messageId)
  })

  it('counts apart where a machine wrote it', async () => {
    const ann = await anOwner(running)
    const id = await sent(ann, [anAddress()])
    await arrives(ann, { 'Auto-Submitted': 'auto-replied' }, withToken(ann.address, id, 1))
    expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 1, automatic: 1 } })
  })

  it('arrives all the same, and answers nothing, where the campaign is somebody else’s', async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    const id = await sent(ann, [anAddress()])
    const ours = messageIdOf(id, 1, 'postrider.localhost')
    for (const item of [
      await arrives(eve, {}, withToken(eve.address, id, 1)),
      await arrives(eve, { 'In-Reply-To': ours, References: ours }),
    ]) {
      expect(item.campaign).toBeNull()
      expect((await open(eve.browser, item)).conversation).toEqual([])
      expect(await rowOf(item)).toMatchObject({ campaign_id: null, seq: null })
    }
    expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 0 } })
  })

  it('arrives all the same with a token or an id that was made up', { tags: 'thorough' }, async () => {
    const ann = await anOwner(running)
    const id = await sent(ann, [anAddress()])
    const forged = withToken(ann.address, id, 1).replace(/.@/, (end) => (end === '_@' ? '-@' : '_@'))
    for (const item of [
      await arrives(ann, {}, forged),
      await arrives(ann, { 'In-Reply-To': messageIdOf(id, 2, 'postrider.localhost') }),
      await arrives(ann, { 'In-Reply-To': `<${'0'.repeat(32)}-1@x.test>`, References: '<@> <a@b> garbage' }),
    ])
      expect(item.campaign).toBeNull()
  })
})

describe('a conversation', () => {
  it('holds what answers the same mail, and what answers that', { tags: 'thorough' }, async () => {
    const ann = await anOwner(running)
    const id = await sent(ann, [anAddress(), anAddress()])
    const first = await arrives(ann, { 'Message-ID': '<first@x.test>' }, withToken(ann.address, id, 1))
    const second = await arrives(ann, {}, withToken(ann.address, id, 1))
    const third = await arrives(ann, { 'In-Reply-To': '<first@x.test>' })
    const fourth = await arrives(ann, { References: '<first@x.test> <lost@x.test>' })
    const others = await arrives(ann, {}, withToken(ann.address, id, 2))
    expect(await isOneConversation(first, second, third, fourth)).toBe(true)
    expect(await isOneConversation(first, others)).toBe(false)
    expect(fourth.campaign).toMatchObject({ id })
    const { conversation } = await open(ann.browser, fourth)
    expect(
      conversation.map((entry) => (entry.kind === 'received' ? entry.messageId : entry.campaignId)),
    ).toEqual([id, ...[first, second, third].map(({ messageId }) => messageId)])
  })

  it('is that of the nearest id, and of nobody else’s mail', { tags: 'thorough' }, async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    const far = await arrives(ann, { 'Message-ID': '<far@x.test>' })
    const near = await arrives(ann, { 'Message-ID': '<near@x.test>' })
    await arrives(eve, { 'Message-ID': '<hers@x.test>' })
    const answer = await arrives(ann, { References: '<far@x.test> <near@x.test> <hers@x.test>' })
    expect(await isOneConversation(near, answer)).toBe(true)
    expect(await isOneConversation(far, answer)).toBe(false)
  })

  it('comes together also where the answers were read before what they answer', {
    tags: 'thorough',
  }, async () => {
    await using own = await aRunningApp({ ...INBOX_ENV, ROLES: 'web,inbound' })
    const itsPort = await own.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    const ann = await anOwner(own)
    // The last one first; each names only the one before it.
    for (let n = 6; n >= 1; n -= 1)
      await deliver(
        itsPort,
        ann.address,
        aMail({ 'Message-ID': `<${n}@x.test>`, 'In-Reply-To': `<${n - 1}@x.test>` }),
      )
    const reader = createMailReader()
    const read = createReading({ db: own.db, reader, notices: { publish() {} }, log: createLog('silent') })
    const rows = await own.db.selectFrom('inbox_messages').select('id').orderBy('received_at').execute()
    for (const { id } of rows) await read(id)
    // Twice changes nothing.
    await Promise.all(rows.map(({ id }) => read(id)))
    await reader.close()
    const found = await own.db.selectFrom('inbox_messages').select('conversation_id').distinct().execute()
    expect(found).toHaveLength(1)
    expect(await list(ann.browser)).toHaveLength(6)
  })

  it('comes together also where an answer has come, and was answered, before what it answers', {
    tags: 'thorough',
  }, async () => {
    const [ann, eve] = [await anOwner(running), await anOwner(running)]
    const answer = await arrives(ann, { 'Message-ID': '<late-2@x.test>', 'In-Reply-To': '<late-1@x.test>' })
    const further = await arrives(ann, { 'Message-ID': '<late-3@x.test>', 'In-Reply-To': '<late-2@x.test>' })
    const elsewhere = await arrives(eve, { 'In-Reply-To': '<late-1@x.test>' })
    const placed = await arrives(ann, { References: '<late-1@x.test> <late-0@x.test>' })
    const earlier = await arrives(ann, { 'Message-ID': '<late-0@x.test>' })
    expect(await isOneConversation(placed, earlier)).toBe(true)
    const first = await arrives(ann, { 'Message-ID': '<late-1@x.test>' })
    expect(await isOneConversation(first, answer, further)).toBe(true)
    expect(await conversationOf(answer)).toBe(first.messageId)
    // What has found its place by a nearer id stays there, and nobody else's mail is touched.
    expect(await isOneConversation(first, placed)).toBe(false)
    expect(await conversationOf(elsewhere)).toBe(elsewhere.messageId)
  })

  it('of two mails that answer each other ends somewhere', { tags: 'thorough' }, async () => {
    const ann = await anOwner(running)
    const one = await arrives(ann, { 'Message-ID': '<one@x.test>', References: '<two@x.test> <one@x.test>' })
    const two = await arrives(ann, { 'Message-ID': '<two@x.test>', References: '<one@x.test>' })
    expect(await isOneConversation(one, two)).toBe(true)
  })
})
