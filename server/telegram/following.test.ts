import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import type { Browser } from '../test/browser.ts'
import { act, detail, finished, recipients, send } from '../test/campaigns.ts'
import { freshDatabase } from '../test/database.ts'
import { createGate, type Gate } from '../test/gate.ts'
import { aRunningApp } from '../test/running-app.ts'
import { type ResendSimulator, startResendSimulator } from '../test/simulators/resend.ts'
import type { Person } from '../test/simulators/telegram-people.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, botEnv, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { until } from '../test/until.ts'
import { inTurn } from './following.ts'

let resend: ResendSimulator
let gate: Gate
beforeEach(async () => {
  resend = await startResendSimulator()
  gate = createGate()
  resend.lieBy(() => ({ kind: 'held', until: gate.pass() }))
})
afterEach(() => resend.close())

const viaResend = () => ({ RESEND_API_KEY: resend.apiKey, RESEND_BASE_URL: resend.url.href })

/** A hundred mails in each call, of which a few are made at once: two are answered, the others once the gate is open. */
async function underWay({ user }: LinkedChat, count: number): Promise<string> {
  gate.shut()
  gate.letThrough(2)
  const { id } = await send(user.browser, { subject: 'Moving', recipients: recipients(count) })
  await until('it has begun', async () => (await detail(user.browser, id)).counts.accepted > 0)
  return id
}

/** Those that were called for before the pause have got it; nothing moves any more. */
async function stoodStill({ user }: LinkedChat, id: string): Promise<CampaignDetail> {
  gate.open()
  await until('nothing is in flight', async () => (await detail(user.browser, id)).counts.inFlight === 0)
  return detail(user.browser, id)
}

async function opened(person: Person): Promise<Seen> {
  await person.says('/campaigns')
  await person.presses('Moving', await person.hears('Moving'))
  return person.hears(/recipients\n/)
}

const now = (person: Person, { id }: Seen): Seen => {
  const found = person.messages().find((message) => message.id === id)
  if (!found) throw new Error('the card is gone')
  return found
}

/** What the card must show of a campaign. */
const saysAll = ({ text }: Seen, { counts }: CampaignDetail): boolean =>
  text.includes(`🟩 ${counts.accepted.toLocaleString('en-US')} accepted`)

const liveCards = async ({ running }: Pick<TelegramApp, 'running'>): Promise<number> => {
  const row = await running.db
    .selectFrom('telegram_cards')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('is_live', '=', true)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

describe('a card', () => {
  it('follows its campaign to the end, through pauses, refusals and failures of Telegram, and so does the list', {
    tags: 'thorough',
  }, async () => {
    await using app = await anAppWithBot(viaResend())
    const ann = await aLinkedChat(app)
    const { user, person } = ann
    const id = await underWay(ann, 1_200)
    const card = await opened(person)
    const list = person.messages().find(({ text }) => /Moving\n.*\n.*of 1,200 accepted/.test(text))
    if (!list) throw new Error('there is no list')

    await person.presses('⏸ Pause', card)
    expect((await detail(user.browser, id)).state).toBe('paused')
    const paused = await stoodStill(ann, id)
    expect(paused.counts.queued).toBeGreaterThan(0)
    await until('the card shows where it stopped', async () => saysAll(now(person, card), paused))
    expect(now(person, card).text).toContain('🟧 Paused')

    app.telegram.lieNext(
      'editMessageText',
      null,
      { kind: 'rate-limit', retryAfter: 1 },
      { kind: 'answer', status: 500, description: 'Internal Server Error', when: 'after' },
    )
    await person.presses('▶️ Resume', card)
    const done = await finished(user.browser, id)
    await until('the card shows the end', async () => now(person, card).text.includes('🟩 Finished'), 20_000)
    expect(done.counts.accepted).toBe(1_200)
    expect(now(person, card).text).toContain('🟩 1,200 accepted')
    await until('the list shows the end', async () => now(person, list).text.includes('1,200 of 1,200'))
    await until('nothing is followed any more', async () => (await liveCards(app)) === 0)
    expect(app.running.logged()).not.toContain(app.telegram.token.split(':')[1])
  })

  it('changes into the question whether to cancel, which nothing changes until it is answered', async () => {
    await using app = await anAppWithBot(viaResend())
    const ann = await aLinkedChat(app)
    const { user, person } = ann
    const id = await underWay(ann, 3_000)
    await act(user.browser, id, 'pause')
    await stoodStill(ann, id)
    const card = await opened(person)
    const list = person.messages().find(({ text }) => /of 3,000 accepted/.test(text))
    if (!list) throw new Error('there is no list')
    await person.presses('✖️ Cancel', card)
    const question = now(person, card)
    expect(question.text).toMatch(/^Cancel Moving\?\n\n[\d,]+ recipients who are still waiting will not get/)
    gate.shut()
    await act(user.browser, id, 'resume')
    await until('the list says so', async () => now(person, list).text.includes('🟦 Sending'))
    expect(now(person, card)).toEqual(question)

    await person.presses('Keep sending', card)
    expect(now(person, card).text).toContain('🟦 Sending')
    await person.presses('✖️ Cancel', card)
    await person.presses(/^Yes, cancel [\d,]+ that wait$/, card)
    gate.open()
    const done = await finished(user.browser, id)
    expect(done).toMatchObject({ state: 'cancelled' })
    expect(done.counts.cancelled).toBeGreaterThan(0)
    await until('the card shows the end', async () => /⬛ Cancelled/.test(now(person, card).text))
    expect(now(person, card).text).toContain(`⬛ ${done.counts.cancelled.toLocaleString('en-US')} cancelled`)
    expect(now(person, card).text).toContain(`🟩 ${done.counts.accepted.toLocaleString('en-US')} accepted`)
  })

  it('is found again by the next process, and given up where it is gone or the bot is blocked', {
    tags: 'thorough',
  }, async () => {
    await using database = await freshDatabase()
    await using app = await anAppWithBot({ ...viaResend(), ROLES: 'web,worker' }, { database })
    const first = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    const chats = [await aLinkedChat(app), await aLinkedChat(app, { firstName: 'Bob' })] as const
    const [{ user, person }, bob] = chats
    const cards: Seen[] = []
    for (const chat of chats) {
      const id = await underWay(chat, 1_200)
      await act(chat.user.browser, id, 'pause')
      expect((await stoodStill(chat, id)).counts.accepted).toBeLessThan(1_200)
      cards.push(await opened(chat.person))
    }
    const [card, bobs] = cards
    if (!card || !bobs) throw new Error('there are no cards')
    await first[Symbol.asyncDispose]()
    for (const { user } of chats) {
      const [campaign] = (await user.browser.get('/api/email-history')).json() as CampaignDetail[]
      await act(user.browser, campaign?.id ?? '', 'resume')
      await finished(user.browser, campaign?.id ?? '')
    }

    const refusal = (status: number, description: string) =>
      ({ kind: 'answer', status, description, when: 'before' }) as const
    app.telegram.lieBy(({ method, args }) => {
      if (method !== 'editMessageText' || args['message_id'] === card.id) return null
      return args['chat_id'] === bob.person.id
        ? refusal(403, 'Forbidden: bot was blocked by the user')
        : refusal(400, 'Bad Request: message to edit not found')
    })
    await using _second = await aRunningApp({ ...botEnv(app.telegram), ROLES: 'telegram' }, { database })
    await until('nothing is followed any more', async () => (await liveCards(app)) === 0)
    expect(now(person, card).text).toContain('🟩 1,200 accepted')
    expect(now(bob.person, bobs)).toEqual(bobs)
    const links = async (browser: Browser) => (await browser.get('/api/telegram/links')).json()
    expect(await links(bob.user.browser)).toMatchObject([{ isBlocked: true }])
    expect(await links(user.browser)).toMatchObject([{ isBlocked: false }])
  })
})

it('of more chats than can be served at once each has its turn, though all of them move all the time', () => {
  const chats = new Map(Array.from({ length: 70 }, (_, index) => [String(1000 + index), index]))
  const served = new Set<string>()
  let last = ''
  for (let turn = 0; turn < 3; turn++)
    for (const [linkId] of inTurn(chats, last).slice(0, 30)) {
      served.add(linkId)
      last = linkId
    }
  expect(served.size).toBe(70)
})
