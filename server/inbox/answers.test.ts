import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InboxItem } from '../../contract/inbox.ts'
import { anAddress, aUser } from '../test/accounts.ts'
import { detail, finished, send } from '../test/campaigns.ts'
import { bring, inboxAddress, received } from '../test/replies.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

let running: RunningApp
let port: number
beforeAll(async () => {
  running = await aRunningApp()
  port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => running[Symbol.asyncDispose]())

it('a campaign counts what answers it, and lists it from all folders to its owner alone', async () => {
  const [ann, eve] = [await aUser(running), await aUser(running)]
  const address = await inboxAddress(ann.browser)
  const people = [anAddress('bob'), anAddress('cleo')]
  const { id } = await send(ann.browser, { recipients: people, replyTo: address })
  await finished(ann.browser, id)
  expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 0, automatic: 0 } })

  const [bob = '', cleo = ''] = people
  const answer = async (from: string, headers: string[]) => {
    const to = (await running.mails.latest(from)).headers['Reply-To'] ?? ''
    await bring(port, { from, to }, [`From: ${from}`, `To: ${to}`, ...headers, '', 'Yes'].join('\n'))
  }
  await answer(bob, ['Subject: Re: one'])
  await answer(bob, ['Subject: Re: two'])
  await answer(cleo, ['Subject: Away', 'Auto-Submitted: auto-replied'])
  await bring(port, { from: bob, to: address }, `From: ${bob}\nTo: ${address}\nSubject: Else\n\nHi`)
  const all = await received(ann.browser, 4)

  expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 3, automatic: 1 } })
  const path = `/api/inbox/list?campaign=${id}`
  const subjects = async (query: string) => {
    const list = await ann.browser.get(query)
    return {
      cursor: list.headers['x-next-cursor'],
      subjects: (list.json() as InboxItem[]).map((item) => item.subject),
    }
  }
  expect((await subjects(path)).subjects).toEqual(['Away', 'Re: two', 'Re: one'])
  const first = await subjects(`${path}&limit=2`)
  expect(first.subjects).toEqual(['Away', 'Re: two'])
  const second = await subjects(`${path}&limit=2&cursor=${encodeURIComponent(String(first.cursor))}`)
  expect(second).toEqual({ cursor: undefined, subjects: ['Re: one'] })

  expect((await eve.browser.get(path)).json()).toEqual([])
  const gone = all.find(({ subject }) => subject === 'Re: two')
  const { status } = await ann.browser.send({
    method: 'DELETE',
    headers: { 'sec-fetch-site': 'same-origin' },
    path: `/api/inbox/message/${gone?.inboxId}/${gone?.messageId}`,
  })
  expect(status).toBe(200)
  expect(await detail(ann.browser, id)).toMatchObject({ replies: { all: 2, automatic: 1 } })
})
