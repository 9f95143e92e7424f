import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detail, send } from '../test/campaigns.ts'
import { aMail, anOwner, deliver, received } from '../test/inbox.ts'
import { reply } from '../test/replies.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

const DOMAIN = 'corp.test'

/** As the README sets up a server: the receiver listens, but no MX leads to it. */
let running: RunningApp
beforeAll(async () => {
  running = await aRunningApp({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: `letters@${DOMAIN}`,
    INBOUND_SMTP_PORT: '',
  })
})
afterAll(() => running[Symbol.asyncDispose]())

describe('where nobody has set up receiving', () => {
  it('answers to a reply go to the reply-to address of the settings', async () => {
    const ann = await anOwner(running)
    const fromEmail = 'ann@elsewhere.test'
    await ann.browser.post('/api/settings', { provider: 'resend', fromName: 'Ann', fromEmail })
    const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
    await deliver(port, ann.address, aMail())
    const [message] = await received(running, ann)
    if (!message) throw new Error('no message')
    const id = await reply(ann.browser, message, 'Yes')
    expect(await detail(ann.browser, id)).toMatchObject({ replyTo: fromEmail })
  })

  it('an address at another server that reads like the inbox address is left as it is', async () => {
    const { browser, email, address } = await anOwner(running, `bob@${DOMAIN}`)
    expect(address).toBe(email)
    const { id } = await send(browser, { recipients: ['eve@example.test'] })
    const campaign = await running.db
      .selectFrom('campaigns')
      .select(['reply_to', 'has_reply_token'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(campaign).toEqual({ reply_to: email, has_reply_token: false })
  })
})
