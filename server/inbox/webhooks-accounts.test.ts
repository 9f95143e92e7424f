import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxSummary } from '../../contract/inbox.ts'
import { send } from '../test/campaigns.ts'
import { ALL_BYTES, aReceivingUser, arrived, post, stored } from '../test/inbound-webhooks.ts'
import { aMail, anOwner, INBOX_DOMAIN, INBOX_ENV, open, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import type { MailInPieces } from '../test/simulators/brought-mail.ts'
import { bringByMailgun, routeCall } from '../test/simulators/mailgun-route.ts'
import { createSigner } from '../test/simulators/sendgrid-events.ts'
import { bringBySendgrid } from '../test/simulators/sendgrid-parse.ts'
import { receiptOf } from '../test/simulators/ses-receipt.ts'
import { type SnsSimulator, startSnsSimulator } from '../test/simulators/sns.ts'

let sns: SnsSimulator
let running: RunningApp
beforeAll(async () => {
  sns = await startSnsSimulator()
  running = await aRunningApp({ ...INBOX_ENV, SNS_CERT_BASE_URL: sns.url.href })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await sns.close()
})

const bytesMail = () => arrived(['a@corp.test'])

describe('a mail that a route of Mailgun forwards', () => {
  const KEY = 'key-of-ann-0123456789abcdef'
  const aMailgunUser = (key = KEY) => aReceivingUser(running, 'mailgun', key)

  it('is stored byte for byte, at either address', async () => {
    const ann = await aMailgunUser()
    expect(ann.url.pathname).toMatch(/\/mime$/)
    const mail = bytesMail()
    expect(await bringByMailgun(ann.url, mail, KEY)).toEqual([200])
    expect(await stored(running, ann)).toMatchObject([
      { raw: mail.raw, from: 'bob@example.com', to: 'a@corp.test' },
    ])
    const other = { ...mail, raw: Buffer.concat([mail.raw, ALL_BYTES]) }
    const plain = new URL(ann.url.href.replace(/\/mime$/, ''))
    expect(await bringByMailgun(plain, other, KEY)).toEqual([200])
    expect((await stored(running, ann))[1]?.raw).toEqual(other.raw)
  })

  it('in pieces is put together, with files and without', { tags: 'thorough' }, async () => {
    const ann = await aMailgunUser()
    const pieces: MailInPieces = {
      from: '',
      to: [ann.address],
      headers: [
        ['From', 'Bob <bob@example.com>'],
        ['Subject', 'Grüße in pieces'],
        // Whoever writes a mail chooses its headers, and all of them become fields.
        ['Recipient', 'eve@example.com'],
        ['Message-Id', '<pieces@example.com>'],
      ],
      text: Buffer.from('Grüße'),
    }
    expect(await bringByMailgun(ann.url, { ...pieces, from: 'bob@example.com' }, KEY)).toEqual([200])
    const attachments = [{ name: 'all.bin', type: 'application/x-any', content: ALL_BYTES, contentId: 'all' }]
    const html = Buffer.from('<p>Grüße</p>')
    const withFile = { ...pieces, from: 'bob@example.com', html, attachments }
    expect(await bringByMailgun(ann.url, withFile, KEY)).toEqual([200])
    const items = await received(running, ann)
    expect(items).toMatchObject([
      { subject: 'Grüße in pieces', from: { email: 'bob@example.com' }, attachmentCount: 1 },
      { subject: 'Grüße in pieces', preview: 'Grüße', attachmentCount: 0 },
    ])
    if (!items[0]) throw new Error('no mail')
    const { html: shown, attachments: files } = await open(ann.browser, items[0])
    expect(shown).toContain('Grüße')
    expect(files).toMatchObject([{ name: 'all.bin', size: 256 }])
  })

  it.each([
    ['is signed by another key', () => routeCall(bytesMail(), { signingKey: 'another-key-0123456789' })],
    ['is signed by an empty key', () => routeCall(bytesMail(), { signingKey: '' })],
    // Longer ago than Mailgun tries.
    ['is old', () => routeCall(bytesMail(), { signingKey: KEY, at: Date.now() - 9.1 * 3600_000 })],
    ['is of a time to come', () => routeCall(bytesMail(), { signingKey: KEY, at: Date.now() + 330_000 })],
    ['has no form', () => ({ body: Buffer.from('{}'), headers: { 'content-type': 'application/json' } })],
    ['has no body', () => ({ body: Buffer.alloc(0), headers: {} })],
    [
      'has its token twice',
      () => {
        const { body, headers } = routeCall(bytesMail(), { signingKey: KEY, token: 'one' })
        return { body: Buffer.concat([body, Buffer.from('&token=two')]), headers }
      },
    ],
    [
      'has another time than was signed',
      () => {
        const call = routeCall(bytesMail(), { signingKey: KEY, token: '9' })
        const text = call.body
          .toString('latin1')
          .replace(/timestamp=(\d+)(\d)&token=9/, 'timestamp=$1&token=$29')
        return { ...call, body: Buffer.from(text, 'latin1') }
      },
    ],
  ])('is refused when it %s', async (_, call) => {
    const ann = await aMailgunUser()
    expect(await post(ann.url, call())).toBe(401)
    expect(await stored(running, ann)).toEqual([])
  })
})

describe('a mail that Amazon SES brings', () => {
  it('is stored byte for byte once the subscription is confirmed, however it is encoded', async () => {
    const ann = await aReceivingUser(running, 'ses', sns.topicArn)
    await sns.publish(receiptOf(bytesMail()))
    expect(await stored(running, ann)).toEqual([])
    expect(await sns.subscribe(ann.url)).toBe(true)

    const mails = [bytesMail(), bytesMail()]
    const inUtf8 = { ...bytesMail(), raw: Buffer.from(aMail({ Subject: 'Grüße' })) }
    await sns.publish(receiptOf(mails[0] ?? inUtf8))
    await sns.publish(receiptOf(mails[1] ?? inUtf8, { isTold: true }))
    await sns.publish(receiptOf(inUtf8, { encoding: 'UTF-8' }))
    expect((await stored(running, ann)).map(({ raw }) => raw)).toEqual(
      [...mails, inUtf8].map(({ raw }) => raw),
    )

    // What is no mail for us is taken note of, and not asked for again.
    const posts = sns.posts.length
    await sns.publish(receiptOf(bytesMail(), { action: 'S3' }))
    await sns.publish({ eventType: 'Delivery', mail: {}, delivery: {} })
    await sns.publish('Successfully validated SNS topic')
    expect(sns.posts.slice(posts).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(running.logged()).toContain('the receipt rule needs an SNS action')
    expect(await stored(running, ann)).toHaveLength(3)
  })

  it('and that stays in S3 is told of to its owner, once', async () => {
    const ann = await aReceivingUser(running, 'ses', sns.topicArn)
    await sns.subscribe(ann.url)
    const missed = async () => ((await ann.browser.get('/api/inbox/summary')).json() as InboxSummary).missed
    expect(await missed()).toEqual([])
    for (let n = 0; n < 2; n += 1) await sns.publish(receiptOf(bytesMail(), { action: 'S3' }))
    expect(await missed()).toEqual([
      { reason: 'not-brought', firstAt: expect.any(String), lastAt: expect.any(String) },
    ])
  })

  it('may come by a second topic, and by no third', async () => {
    const [second, third] = ['mails', 'others'].map((name) => sns.topicArn.replace(/[^:]+$/, name))
    const ann = await aReceivingUser(running, 'ses', `${sns.topicArn}, ${second}`)
    const from = (topic = '') => {
      const message = sns.envelope({ TopicArn: topic, Message: JSON.stringify(receiptOf(bytesMail())) })
      return { body: Buffer.from(JSON.stringify(message)), headers: { 'content-type': 'text/plain' } }
    }
    expect(await post(ann.url, from(second))).toBe(200)
    expect(await post(ann.url, from(third))).toBe(401)
    const turned = from(second)
    turned.body = Buffer.from(turned.body.toString().replace('bob@example', 'eve@example'))
    expect(await post(ann.url, turned)).toBe(401)
    expect(await stored(running, ann)).toHaveLength(1)
  })
})

describe('a mail by a user’s own account', () => {
  const signer = createSigner()

  it('comes to that user whoever it is for, and never to anybody else', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const victim = await anOwner(running)
    for (const to of [
      [victim.address],
      [victim.address.replace('@', '+x@')],
      ['sales@corp.test', victim.address],
      [`nobody@${INBOX_DOMAIN}`],
      ['"odd name"@corp.test'],
      [],
    ])
      expect(await bringBySendgrid(user.url, arrived(to), signer)).toEqual([200])
    expect((await stored(running, user)).map(({ to }) => to)).toEqual([
      victim.address,
      victim.address.replace('@', '+x@'),
      'sales@corp.test',
      `nobody@${INBOX_DOMAIN}`,
      '"odd name"@corp.test',
      user.address,
    ])
    expect(await stored(running, victim)).toEqual([])
  })

  it('tells which campaign it answers, if that is the user’s own', async () => {
    const user = await aReceivingUser(running, 'sendgrid', signer.publicKey)
    const victim = await anOwner(running)
    // By the product's own account, so that the mail is in the local mailbox.
    const replyTo = async (who: typeof victim): Promise<{ id: string; address: string }> => {
      await who.browser.post('/api/settings', { provider: 'resend', fromName: '', fromEmail: who.address })
      const to = `reader-${who.userId}@example.com`
      const { id } = await send(who.browser, { recipients: [to] })
      return { id, address: (await running.mails.latest(to)).headers['Reply-To'] ?? '' }
    }
    const [own, foreign] = [await replyTo(user), await replyTo(victim)]
    const token = foreign.address.split(/[+@]/)[1] ?? ''
    for (const to of [own.address, foreign.address, user.address.replace('@', `+${token}@`)])
      expect(await bringBySendgrid(user.url, arrived(['other@corp.test', to]), signer)).toEqual([200])
    expect((await stored(running, user)).map(({ campaignId, seq }) => [campaignId, seq])).toEqual([
      [own.id, 1],
      [null, null],
      [null, null],
    ])
    expect(await stored(running, victim)).toEqual([])
  })
})
