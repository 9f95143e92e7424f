import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { anOwner, INBOX_DOMAIN, INBOX_ENV, list, open, pathOf } from '../test/inbox.ts'
import { hasPostfix, hasSwaks, startPostfix, swaks } from '../test/postfix.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { RIGHT_NAME } from '../test/simulators/certificates.ts'
import { until } from '../test/until.ts'

const isThere = (await hasPostfix()) && (await hasSwaks())

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp(INBOX_ENV)
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

async function arrived(browser: Parameters<typeof list>[0], count: number): Promise<InboxItem[]> {
  let items: InboxItem[] = []
  await until('the mail is there', async () => {
    items = await list(browser)
    return items.length >= count
  })
  return items
}

describe.runIf(isThere)('swaks', () => {
  it('brings a mail with a file over STARTTLS, and hears that nobody else is here', async () => {
    const ann = await anOwner(running)
    const said = await swaks(
      port,
      ...['--tls', '--from', 'bob@example.com', '--to', ann.address, '--header', 'Subject: By hand'],
      ...['--body', '.\nA line with a dot above it', '--attach-name', 'a.txt', '--attach', 'the file'],
    )
    expect(said).toMatch(/250 2\.6\.0 /)
    const [item] = await arrived(ann.browser, 1)
    if (!item) throw new Error('no message')
    expect(item).toMatchObject({ subject: 'By hand', attachmentCount: 1 })
    expect((await open(ann.browser, item)).text).toMatch(/^\.\r?\nA line with a dot above it/)
    expect((await ann.browser.get(`${pathOf(item)}/attachments/0`)).text.trim()).toBe('the file')
    const refused = swaks(port, '--from', 'bob@example.com', '--to', `nobody@${INBOX_DOMAIN}`)
    await expect(refused).rejects.toMatchObject({ stdout: expect.stringMatching(/550 5\.1\.1 /) })
  })
})

describe.runIf(isThere && process.getuid?.() === 0)('Postfix', () => {
  it('passes on mail for our domain over TLS, to two inboxes at once, and returns what nobody here wants', {
    tags: 'thorough',
  }, async () => {
    const postfix = await startPostfix(RIGHT_NAME, { domain: INBOX_DOMAIN, port })
    try {
      const [ann, eve] = [await anOwner(running), await anOwner(running)]
      await swaks(
        postfix.port,
        ...['--tls', '--from', 'bob@x.test', '--to', `${ann.address},${eve.address},nobody@${INBOX_DOMAIN}`],
        ...['--header', 'Subject: By a real server', '--body', 'Hello from Postfix'],
      )
      for (const { browser } of [ann, eve]) {
        const [item] = await arrived(browser, 1)
        if (!item) throw new Error('no message')
        expect(item).toMatchObject({ subject: 'By a real server', preview: 'Hello from Postfix' })
        const source = (await browser.get(`${pathOf(item)}/source`)).text
        expect(source).toMatch(/^Received: from .*\r\n\tby postfix\.x\.test \(Postfix\)/)
      }
      await until('the sender hears of the one who is not here', async () => {
        const [notice] = await postfix.messages()
        return notice?.includes('550 5.1.1 Nobody here has this address') ?? false
      })
    } finally {
      await postfix.close()
    }
  })
})
