import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../contract/campaigns.ts'
import type { Suppression } from '../../contract/suppressions.ts'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { deliveries, send } from '../test/campaigns.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'

/** As people write it; keys, and some senders, have it in ASCII. */
const SHOWN = 'Eve@Bücher.test'

let running: RunningApp
let ann: SignedIn
let id: string
beforeAll(async () => {
  running = await aRunningApp({ ROLES: 'web' })
  ann = await aUser(running)
  id = (await send(ann.browser, { recipients: ['ann@example.test', SHOWN, 'jürgen@example.test'] })).id
  await ann.browser.post('/api/suppressions', { addresses: [SHOWN, 'jürgen@example.test'] })
})
afterAll(() => running[Symbol.asyncDispose]())

const query = (text: string) => `?q=${encodeURIComponent(text)}`

describe('an address whose domain is not ASCII', () => {
  it.each([
    'eve@bücher.test',
    'EVE@BÜCHER.TEST',
    'eve@xn--bcher-kva.test',
    'eve@bü',
    'eve@Bücher.te',
    'eve@b\u0075\u0308cher.test',
  ])('is found in the history by its beginning: %s', async (text) => {
    const found = (await ann.browser.get(`/api/email-history${query(text)}`)).json() as HistoryEntry[]
    expect(found.map((entry) => entry.id)).toEqual([id])
  })

  it.each(['eve@bücher.test', 'eve@xn--bcher-kva.test', 'bücher', 'cher.te', 'xn--b', 'b\u0075\u0308ch'])(
    'is found among deliveries and on the suppression list by any part: %s',
    async (text) => {
      expect((await deliveries(ann.browser, id, query(text))).map(({ address }) => address)).toEqual([SHOWN])
      const list = (await ann.browser.get(`/api/suppressions${query(text)}`)).json() as Suppression[]
      expect(list.map(({ address }) => address)).toEqual([SHOWN])
    },
  )

  it('is not found by another one', async () => {
    for (const text of ['eve@büchen', 'eve@bücher.test.x', 'adam@bücher.test'])
      expect((await ann.browser.get(`/api/email-history${query(text)}`)).json()).toEqual([])
  })
})

it('a name beyond ASCII before the @ is found however it is composed', async () => {
  for (const text of ['jürgen', 'JÜRGEN@', 'ju\u0308rgen@example'])
    expect((await deliveries(ann.browser, id, query(text))).map(({ address }) => address)).toEqual([
      'jürgen@example.test',
    ])
})
