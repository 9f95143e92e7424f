import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxAddress } from '../../contract/inbox.ts'
import { aUser } from '../test/accounts.ts'
import {
  anOwner,
  deliver,
  INBOX_DOMAIN,
  INBOX_ENV,
  list,
  type Owner,
  received,
  write,
} from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { mailIn } from '../test/smtp-conversation.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp({ ...INBOX_ENV, MAIL_FROM: 'letters@corp.test' })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

const rename = (who: Pick<Owner, 'browser'>, name: string) =>
  write(who.browser, 'PUT', '/api/inbox/address', { name })

describe('the address of an inbox', () => {
  it('is made when it is first asked for, once, however many ask', async () => {
    const ann = await aUser(running, { email: 'first.ann@example.test' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => ann.browser.get('/api/inbox/address')))
    const shown = { address: `first.ann@${INBOX_DOMAIN}`, isChangeable: true, isReceiving: true }
    for (const answer of answers) expect(answer.json()).toEqual(shown)
  })

  it('differs for people of the same name, and is none that is kept', async () => {
    const emails = ['sue@one.test', 'sue@two.test', 'sue@two.example', 'letters@three.test']
    const addresses = []
    for (const email of emails) addresses.push((await anOwner(running, email)).address)
    expect(addresses).toEqual(
      ['sue', 'sue-two', 'sue-2', 'letters-three'].map((name) => `${name}@${INBOX_DOMAIN}`),
    )
  })

  it('can be changed once, and the old one still receives', async () => {
    const ann = await anOwner(running)
    const changed = await rename(ann, 'Ann.New')
    expect(changed.json()).toEqual({
      address: `ann.new@${INBOX_DOMAIN}`,
      isChangeable: false,
      isReceiving: true,
    })
    // The same name again is no change.
    expect(await rename(ann, 'ann.new')).toMatchObject({ status: 200 })
    expect(await rename(ann, 'another')).toMatchObject({
      status: 409,
      text: 'Your inbox address has been changed already; that is possible once',
    })
    await deliver(port, ann.address, 'Subject: old\n\nx')
    await deliver(port, `ANN.NEW@${INBOX_DOMAIN.toUpperCase()}`, 'Subject: new\n\nx')
    expect((await received(running, ann)).map(({ subject }) => subject).sort()).toEqual(['new', 'old'])
  })

  it('is not taken from anybody, not even one that they had before', async () => {
    const [ann, bob] = [await anOwner(running), await anOwner(running)]
    const name = ann.address.split('@')[0] ?? ''
    expect(await rename(ann, 'moved-ann')).toMatchObject({ status: 200 })
    for (const taken of [name, 'moved-ann'])
      expect(await rename(bob, taken)).toMatchObject({
        status: 409,
        text: 'Somebody else has this name; please choose another',
      })
    // Whoever was refused may still change it, and two cannot get the same name.
    const answers = await Promise.all([rename(bob, 'wanted'), rename(await anOwner(running), 'wanted')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it.each(['postmaster', 'admin', 'no-reply', 'b-anything', 'letters', 'abuse'])(
    'cannot be %s',
    async (name) => {
      expect(await rename(await anOwner(running), name)).toMatchObject({ status: 409 })
    },
  )

  it.each(['x', 'ann_lee', 'a..b', 'ann+lee', 'x'.repeat(16), 'ann@x'])('cannot be %s', async (name) => {
    expect(await rename(await anOwner(running), name)).toMatchObject({ status: 400 })
  })

  it('takes mail for it in any case and with anything behind a plus, and for nobody else', async () => {
    const ann = await anOwner(running)
    const [name] = ann.address.split('@')
    for (const local of [name?.toUpperCase(), `${name}+news`, `${name}+${'x'.repeat(48)}`, `${name}+`])
      await deliver(port, `${local}@${INBOX_DOMAIN}`, `Subject: to ${local}\n\nx`)
    expect(await received(running, ann)).toHaveLength(4)
    for (const other of [
      `nobody@${INBOX_DOMAIN}`,
      `${name}@example.test`,
      `x${ann.address}`,
      `+@${INBOX_DOMAIN}`,
    ])
      expect(await mailIn(port, [other], 'x')).toMatch(/^550 5\.1\.1 /)
  })

  it.each([
    ['nobody has asked for a receiver', { INBOUND_SMTP_PORT: '' }, false],
    ['the receiver is switched off', { INBOUND_SMTP_PORT: '0', INBOUND_DOMAIN: INBOX_DOMAIN }, false],
    ['its port is named', { INBOUND_SMTP_PORT: '2525' }, true],
    ['its domain is named', { INBOUND_SMTP_PORT: '', INBOUND_DOMAIN: INBOX_DOMAIN }, true],
  ])('says whether mail to it arrives: %s', async (_name, env, isReceiving) => {
    await using other = await aRunningApp({ SMTP_URL: 'smtp://127.0.0.1:9', ...env })
    const { browser } = await aUser(other)
    expect((await browser.get('/api/inbox/address')).json() as InboxAddress).toMatchObject({ isReceiving })
    expect(await list(browser)).toEqual([])
  })
})
