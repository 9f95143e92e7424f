import { readFile } from 'node:fs/promises'
import { domainToUnicode } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress } from '../test/accounts.ts'
import { detail, finished, send } from '../test/campaigns.ts'
import { aMail, anOwner, deliver, received } from '../test/inbox.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { mailIn } from '../test/smtp-conversation.ts'

const DOMAIN = 'in.xn--bcher-kva.example'
const relay = await startSmtpSimulator()
let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp({
    ...{ SMTP_URL: relay.url.href, ALLOW_PRIVATE_HOSTS: 'localhost' },
    ...{ INBOUND_SMTP_PORT: '2525', INBOUND_DOMAIN: DOMAIN },
  })
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await relay.close()
})

describe('a domain with letters beyond ASCII', () => {
  it('receives mail to its inboxes, and to no other domain, however it is written', async () => {
    const ann = await anOwner(running)
    expect(ann.address).toMatch(/@in\.xn--bcher-kva\.example$/)
    const [name = ''] = ann.address.split('@')
    for (const domain of [DOMAIN, DOMAIN.toUpperCase(), domainToUnicode(DOMAIN)])
      await deliver(port, `${name}+news@${domain}`, aMail())
    expect(await received(running, ann)).toHaveLength(3)
    for (const domain of ['in.xn--bchr-kva.example', 'in.bucher.example', `x.${DOMAIN}`])
      expect(await mailIn(port, [`${name}@${domain}`], 'x')).toMatch(/^550 5\.1\.1 /)
  })

  it('receives the reports about what left from it', async () => {
    const ann = await anOwner(running)
    const bob = anAddress('bob')
    const { id } = await send(ann.browser, { recipients: [bob] })
    await finished(ann.browser, id)
    const path = relay.ledger.findLast((mail) => mail.to.includes(bob))?.from.split('@')[0]
    const report = await readFile(
      new URL('../bounces/samples/postfix-user-unknown.eml', import.meta.url),
      'utf8',
    )
    expect(await mailIn(port, [`${path}@${DOMAIN}`], report)).toMatch(/^250 /)
    expect(await detail(ann.browser, id)).toMatchObject({ bouncedCount: 1 })
  })
})
