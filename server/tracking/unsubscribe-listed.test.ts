import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Suppression } from '../../contract/suppressions.ts'
import { anAddress, aUser, type SignedIn } from '../test/accounts.ts'
import { aRunningApp, type RunningApp } from '../test/running-app.ts'
import { expectCountsToAddUp } from '../test/stored-campaign.ts'
import { aTrackedCampaign, oneClick, postForm, type TrackedMail } from '../test/tracked-mails.ts'

/** Leaving the mails of somebody who does not write to this address any more, for a reason of another kind. */

let running: RunningApp
let ann: SignedIn
beforeAll(async () => {
  running = await aRunningApp({ PUBLIC_URL: 'https://post.example.test', LOCAL_MAILBOX: 'on' })
  ann = await aUser(running)
})
afterAll(async () => {
  await expectCountsToAddUp(running.db)
  await running[Symbol.asyncDispose]()
})

async function aMail(): Promise<TrackedMail> {
  const [mail] = await aTrackedCampaign(running, ann, [anAddress('bob'), anAddress('eve')])
  if (!mail) throw new Error('no mail')
  return mail
}

const BUTTON = 'name="action" value="unsubscribe">Unsubscribe</button>'

const look = (path: string) => running.browser().send({ method: 'GET', path })
const undo = (path: string) => postForm(running, path, 'action=undo')

async function suppress({ address }: TrackedMail, reason: string) {
  const created_at = new Date('2026-01-02T03:04:05.678Z')
  const cause = { campaign_id: randomUUID(), seq: 7, words: '550 "no" \\ such', created_at }
  await running.db
    .insertInto('suppressions')
    .values({ user_id: ann.userId, address_key: address, address, reason, ...cause })
    .execute()
  return entryOf({ address })
}

const entryOf = ({ address }: Pick<TrackedMail, 'address'>) =>
  running.db
    .selectFrom('suppressions')
    .selectAll()
    .where('user_id', '=', ann.userId)
    .where('address_key', '=', address)
    .executeTakeFirst()

it.each([
  ['h', 'came back'],
  ['s', 'all came back'],
  ['c', 'reported as spam'],
  ['m', 'the sender has put this address'],
])('the page does not undo another reason (%s), and says so', async (reason, words) => {
  const mail = await aMail()
  const entry = await suppress(mail, reason)
  expect((await look(mail.page)).text).toContain(words)
  const undone = await undo(mail.page)
  expect(undone.status).toBe(200)
  expect(undone.text).toContain(words)
  expect(undone.text).toContain('This cannot be undone here')
  expect(await entryOf(mail)).toEqual(entry)
})

it.each([
  ['h', 'came back'],
  ['s', 'all came back'],
  ['m', 'the sender has put this address'],
])(
  'an unsubscription takes the place of another reason (%s), and gives it back when it is undone',
  async (reason, words) => {
    const mail = await aMail()
    const entry = await suppress(mail, reason)
    expect(await oneClick(running, mail.page)).toMatchObject({ status: 200 })
    expect(await entryOf(mail)).toMatchObject({ reason: 'u', words: null, campaign_id: mail.id })
    expect((await look(mail.page)).text).toContain('You are unsubscribed')
    const undone = await undo(mail.page)
    expect(undone.text).toContain(words)
    expect(undone.text).toContain('This cannot be undone here')
    expect(await entryOf(mail)).toEqual(entry)
  },
)

it.each([
  ['h', 'came back'],
  ['s', 'all came back'],
  ['m', 'the sender has put this address'],
])(
  'who is on the list for another reason (%s) can still unsubscribe by the page, and undo it',
  async (reason, words) => {
    const mail = await aMail()
    const entry = await suppress(mail, reason)
    const { text } = await look(mail.page)
    expect(text).toContain(words)
    expect(text).toContain('The sender can change this. If you want no emails even then, unsubscribe.')
    expect(text).toContain(BUTTON)
    expect(await entryOf(mail)).toEqual(entry)
    const left = await postForm(running, mail.page, 'action=unsubscribe')
    expect(left.text).toContain('<h1>You are unsubscribed</h1>')
    expect(left.text).toContain('name="action" value="undo"')
    const [listed] = (await ann.browser.get(`/api/suppressions?q=${mail.address}`)).json() as Suppression[]
    expect(listed).toMatchObject({ address: mail.address, reason: 'unsubscribed', campaign: { id: mail.id } })
    const undone = await undo(mail.page)
    expect(undone.text).toContain(words)
    expect(undone.text).not.toContain(BUTTON)
    expect(await entryOf(mail)).toEqual(entry)
  },
)

it('who has complained is offered no button, for that is stronger already', async () => {
  const mail = await aMail()
  await suppress(mail, 'c')
  const { text } = await look(mail.page)
  expect(text).toContain('reported as spam')
  expect(text).not.toContain('<button')
})

it('a complaint stays what it is', async () => {
  const mail = await aMail()
  const entry = await suppress(mail, 'c')
  expect(await oneClick(running, mail.page)).toMatchObject({ status: 200 })
  expect(await entryOf(mail)).toEqual(entry)
})
