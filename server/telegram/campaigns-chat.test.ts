import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CampaignDetail } from '../../contract/campaigns.ts'
import { PRESUMED_WORDS } from '../../contract/stats.ts'
import { act, detail, finished, recipients, send } from '../test/campaigns.ts'
import { inOneDay } from '../test/one-day.ts'
import { type SmtpSimulator, startSmtpSimulator } from '../test/simulators/smtp.ts'
import type { Person } from '../test/simulators/telegram-people.ts'
import type { Seen } from '../test/simulators/telegram-transcript.ts'
import { aLinkedChat, anAppWithBot, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { until } from '../test/until.ts'

/** Whom the relay does not know at the moment. */
const strangers: string[] = []
let relay: SmtpSimulator
let app: TelegramApp
let ann: LinkedChat
beforeAll(async () => {
  relay = await startSmtpSimulator({ unknownRecipients: strangers })
  app = await anAppWithBot({ SMTP_URL: relay.url.href })
  ann = await aLinkedChat(app)
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await relay.close()
})

const reached = (name: string): string[] =>
  relay.ledger.flatMap(({ to }) => to).filter((address) => address.startsWith(name))

/** What a press answers, and the message after it. */
async function press(person: Person, button: string, card: Seen): Promise<{ said: string; card: Seen }> {
  const said = await person.presses(button, card)
  const now = person.messages().find(({ id }) => id === card.id)
  if (!now) throw new Error('the card is gone')
  return { said, card: now }
}

async function opened(person: Person, subject: string): Promise<Seen> {
  await person.says('/campaigns')
  const list = await person.hears(subject)
  await person.presses(subject, list)
  return person.hears(/recipients?\n/)
}

const MASK = { mask: [[/\d\d\/\d\d\/\d{4}, \d\d:\d\d [AP]M/, 'TIME']] as const }

/** Its numbers by the words behind them. */
const numbersOf = ({ text }: Seen): Record<string, number> =>
  Object.fromEntries(
    [...text.matchAll(/^\S+ ([\d,]+) (accepted|failed|unconfirmed|waiting|cancelled|left out)$/gmu)].map(
      ([, count = '', name = '']) => [name, Number(count.replaceAll(',', ''))],
    ),
  )

const countsIn = ({ counts }: CampaignDetail): Record<string, number> =>
  Object.fromEntries(
    Object.entries({
      accepted: counts.accepted,
      failed: counts.failed,
      unconfirmed: counts.unknown,
      waiting: counts.queued + counts.inFlight,
      cancelled: counts.cancelled,
      'left out': counts.suppressed,
    }).filter(([name, count]) => count > 0 || name === 'accepted'),
  )

describe('a campaign in the chat', () => {
  it('is opened, its failures are read and tried again, its doubts explained and only then sent again', async () => {
    const { user, person } = await aLinkedChat(app, { firstName: 'Bea' })
    strangers.push('chat3@example.test', 'chat7@example.test')
    relay.failNext({ stage: 'dot', does: 'drop', afterAccepting: false })
    const { id } = await send(user.browser, { subject: 'Spring <b>&', recipients: recipients(10, 'chat') })
    const ended = await finished(user.browser, id)
    strangers.splice(0)

    let card = await opened(person, 'Spring <b>&')
    expect(numbersOf(card)).toEqual(countsIn(ended))
    ;({ card } = await press(person, 'Failures', card))
    expect(card.text).toMatch(/2 failed, by reason:\n\n2 × .*550/)
    ;({ card } = await press(person, '🔁 Retry failed (2)', card))
    await finished(user.browser, id)
    expect(reached('chat')).toHaveLength(9)

    ;({ card } = await press(person, '🔄 Refresh', card))
    ;({ card } = await press(person, '⬜ Unconfirmed (1)', card))
    ;({ card } = await press(person, 'Resend to unconfirmed', card))
    expect(card.text).toContain('This recipient may get this email twice')
    expect(card.text).toMatch(/• chat\d+@example\.test/)
    const before = reached('chat').length
    ;({ card } = await press(person, 'Leave them', card))
    expect(reached('chat')).toHaveLength(before)
    ;({ card } = await press(person, '⬜ Unconfirmed (1)', card))
    ;({ card } = await press(person, 'Resend to unconfirmed', card))
    // Both presses are under way before the bot sees the first.
    const said = await Promise.all([1, 2].map(() => person.presses('Resend to 1', card)))
    expect(said.sort()).toEqual(['They are being sent it again', 'This is being done already'])
    const done = await finished(user.browser, id)
    expect(done.counts).toMatchObject({ accepted: 10 })
    expect(reached('chat').toSorted()).toEqual(recipients(10, 'chat').toSorted())

    await until('the card shows the end', async () => /🟩 10 accepted/.test(person.transcript()))
    expect(person.transcript(MASK)).toContain(`Bot: Spring <b>&
  🟩 Finished · TIME

  🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩🟩
  10 recipients
  🟩 10 accepted
  Of the accepted: 🟩 10 delivered (100%)
  By plain SMTP, delivered means accepted and not come back.
  [🔄 Refresh]`)
  })

  it('is tried again once by a press, which says who failed all the same when it comes a second time', {
    tags: 'thorough',
  }, async () => {
    const { user, person } = await aLinkedChat(app, { firstName: 'Gil' })
    strangers.push('still1@example.test', 'still2@example.test')
    const { id } = await send(user.browser, { subject: 'Stubborn', recipients: recipients(4, 'still') })
    await finished(user.browser, id)
    const card = await opened(person, 'Stubborn')
    await person.presses('🔁 Retry failed (2)', card)
    await finished(user.browser, id)
    expect(await person.pressesForged(card.id, `card/${id}/retry/1`)).toBe(
      'This was begun by an earlier press. 2 recipients are failed as of now: once the campaign has ended, Retry failed sends it to them again',
    )
    strangers.splice(0)
    await person.presses('🔁 Retry failed (2)', card)
    expect((await finished(user.browser, id)).counts).toMatchObject({ accepted: 4, failed: 0 })
  })

  it('is nobody else’s: not by a forged button, and not after the account is unlinked', async () => {
    strangers.push('mine1@example.test')
    const { id } = await send(ann.user.browser, { subject: 'Mine', recipients: recipients(1, 'mine') })
    await finished(ann.user.browser, id)
    const card = await opened(ann.person, 'Mine')

    const eve = await aLinkedChat(app, { firstName: 'Eve' })
    await eve.person.says('/campaigns')
    const list = await eve.person.hears(/nothing yet/)
    const actions = ['open', 'show', 'retry/1', 'cancel', 'pause', 'resume', 'failures', 'unconfirmed']
    for (const action of [...actions, 'ask-cancel', 'ask-resend', 'resend/1'])
      expect(await eve.person.pressesForged(list.id, `card/${id}/${action}`)).toBe(
        'This campaign does not exist',
      )
    await eve.person.pressesForged(list.id, `newer/${id}`)
    expect(await eve.person.pressesForged(list.id, `card/${id}/constructor`)).toMatch(/older version/)
    expect(eve.person.transcript()).not.toContain('Mine')

    strangers.splice(0)
    const { status } = await ann.user.browser.send({
      method: 'DELETE',
      path: `/api/telegram/link/${ann.person.user.id}`,
      headers: { origin: app.running.config.publicUrl.origin },
    })
    expect(status).toBe(204)
    expect(await ann.person.presses('🔁 Retry failed (1)', card)).toMatch(/not linked.*nothing was done/)
    await app.running.settled()
    expect((await detail(ann.user.browser, id)).counts.failed).toBe(1)
    expect(reached('mine')).toEqual([])
  })

  it('that has ended cannot be stopped any more, and the chat says so in words', {
    tags: 'thorough',
  }, async () => {
    const { user, person } = await aLinkedChat(app, { firstName: 'Dan' })
    const { id } = await send(user.browser, { subject: 'Quick' })
    await finished(user.browser, id)
    const card = await opened(person, 'Quick')
    for (const [action, words] of [
      ['pause', 'can no longer be paused'],
      ['resume', 'can no longer be resumed'],
      ['cancel', 'can no longer be cancelled'],
      ['ask-cancel', 'nobody is left to be cancelled'],
      ['retry/1', 'Nobody failed'],
      ['resend/1', 'Nobody is unconfirmed'],
      ['failures', 'Nobody failed'],
      ['ask-resend', 'Nobody is unconfirmed'],
    ])
      expect(await person.pressesForged(card.id, `card/${id}/${action}`)).toContain(words)
    expect((await detail(user.browser, id)).state).toBe('done')
  })
})

describe('the list', () => {
  it('has five campaigns a page, the latest first, whatever their subjects and letters hold', async () => {
    const { user, person } = await aLinkedChat(app, { firstName: 'Cem' })
    const subjects = Array.from({ length: 12 }, (_, index) => `Letter ${index + 1}`)
    for (const [index, subject] of subjects.entries())
      await send(user.browser, {
        subject: index === 11 ? `${subject} <i>\u202e${'👍'.repeat(400)}` : subject,
        body: 'x'.repeat(index === 10 ? 90_000 : 10),
        recipients: recipients(1, `list${index}`),
      })
    await app.running.settled()

    await person.says('/campaigns')
    let list = await person.hears(/Letter 12 <i>👍/)
    const numbers = () => list.text.match(/Letter \d+/g)?.map((words) => Number(words.slice(7)))
    expect(numbers()).toEqual([12, 11, 10, 9, 8])
    expect(list.text).toContain('Letter 10\n🟩🟩🟩🟩🟩🟩🟩🟩\n🟩 Finished · 1 of 1 accepted')
    for (const [button, page] of [
      ['Older ›', [7, 6, 5, 4, 3]],
      ['Older ›', [2, 1]],
      ['‹ Newer', [7, 6, 5, 4, 3]],
      ['‹ Newer', [12, 11, 10, 9, 8]],
    ] as const) {
      ;({ card: list } = await press(person, button, list))
      expect(numbers()).toEqual(page)
    }
    expect(list.buttons.at(-1)).toEqual(['Older ›', '🔄 Refresh'])
  })
})

describe('the numbers', () => {
  it('say what delivered means once mail has left by plain SMTP, whichever way the next one goes', async () => {
    const { user, person } = await aLinkedChat(app, { firstName: 'Hal' })
    await person.says('/stats')
    expect((await person.hears(/Sending/)).text).not.toContain(PRESUMED_WORDS)
    const { id } = await send(user.browser, { recipients: ['hals-friend@example.test'] })
    await finished(user.browser, id)
    const own = { provider: 'sendgrid', apiKey: 'SG.own', fromName: 'Hal', fromEmail: 'hal@example.test' }
    expect((await user.browser.post('/api/settings', own)).status).toBe(200)
    await person.says('/stats')
    expect((await person.hears(/Sending/)).text).toContain(PRESUMED_WORDS)
  })

  it('are those of the dashboard, and warn where it warns', async () => {
    await inOneDay()
    const { user, person } = await aLinkedChat(app, { firstName: 'Fay', timeZone: 'Pacific/Auckland' })
    strangers.push('stat1@example.test')
    const { id } = await send(user.browser, { recipients: recipients(20, 'stat') })
    await finished(user.browser, id)
    strangers.splice(0)
    await app.running.db
      .updateTable('runs')
      .set({ bounced: 1, complained: 0, delivered: 18 })
      .where('campaign_id', '=', id)
      .execute()
    await person.says('/stats')
    const { text, html } = await person.hears(/Sending/)
    expect(text).toContain('20 sent in all\n🟩 19 successful · 95.0% success rate\n🟥 1 failed · 5.0%')
    expect(text).toContain('🟧 5.3% · 1 bounced ⚠️ Warning: above 5%\n🟥 0.0% · 0 complaints\n')
    const today = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'Pacific/Auckland' })
    expect(html).toMatch(new RegExp(`<pre>(\\w{3} │ 0\\n){6}${today.format(new Date())} │█{14} 19</pre>`))
    await act(user.browser, id, 'retry-failed')
    await finished(user.browser, id)
    await person.presses('🔄 Refresh')
    await person.hears(/20 successful · 100\.0% success rate\n🟥 0 failed · 0\.0%/)
  })
})
