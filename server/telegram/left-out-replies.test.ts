import { expect, it } from 'vitest'
import { aMail, INBOX_ENV } from '../test/inbox.ts'
import { startSmtpSimulator } from '../test/simulators/smtp.ts'
import { aLinkedChat, anAppWithBot, QUICKLY } from '../test/telegram.ts'
import { arrive, waiting } from '../test/telegram-alerts.ts'
import { suppress } from '../test/telegram-letters.ts'
import { until } from '../test/until.ts'
import { holdAlert } from './store/alerts.ts'
import { listWatched } from './store/watched.ts'

/** Somebody who has answered Gus, and whose answer waits for its next try. The bot waits for so long to know more. */
async function aWaitingReply(knownMs: number) {
  const stack = new AsyncDisposableStack()
  const relay = await startSmtpSimulator()
  stack.defer(() => relay.close())
  const options = { botPace: { ...QUICKLY, knownMs } }
  const app = stack.use(await anAppWithBot({ ...INBOX_ENV, SMTP_URL: relay.url.href }, options))
  const { running } = app
  const port = await running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app, { isTold: true })
  await arrive(running, port, ann, aMail({ From: 'Gus <gus@example.test>' }))
  relay.failNext({ stage: 'rcpt', does: { code: 450, text: 'Try again later' } })
  await ann.person.repliesTo(await ann.person.hears('New mail'), 'Thank you')
  await until('it waits for its next try', async () => {
    const waits = running.db.selectFrom('deliveries').select('seq').where('state', '=', 'q')
    return (await waits.where('attempts', '=', 1).execute()).length === 1
  })
  return { ...ann, relay, running, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

it('a reply that is left out after it was said to be on its way is told', { tags: 'thorough' }, async () => {
  await using reply = await aWaitingReply(100)
  const { person, user, relay, running } = reply
  await person.hears('Reply sent to gus@example.test. It is on its way.')
  await suppress(user, 'gus@example.test')
  const told = await person.hears('nobody was sent it')
  expect(told.text).toMatch(/Re: Hello\n[\s\S]*🔲 1 left out/u)
  await waiting(running, reply, 0)
  expect(relay.ledger.filter(({ to }) => to.includes('gus@example.test'))).toEqual([])

  // Nor is it forgotten where nobody heard of it at that moment.
  await running.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('telegram_alerts').where('kind', '=', 'finished').execute()
    expect(await listWatched(tx, 24, { share: 1, settled: 50 })).toHaveLength(1)
  })
})

it('a reply whose outcome was awaited, and the wait interrupted, is told when it has failed', async () => {
  await using reply = await aWaitingReply(100)
  const { person, user, running } = reply
  await person.hears('Reply sent to gus@example.test. It is on its way.')
  const { db } = running
  const [link, answer] = await Promise.all([
    db.selectFrom('telegram_links').select('id').where('user_id', '=', user.userId).executeTakeFirstOrThrow(),
    db
      .selectFrom('runs')
      .select('campaign_id as id')
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow(),
  ])
  // What a process leaves behind that is killed while it waits.
  await holdAlert(db, { linkId: link.id, kind: 'finished', about: answer.id, occasion: '1' }, 0)
  await waiting(running, reply, 0)
  await suppress(user, 'gus@example.test')
  await person.hears('nobody was sent it')
})

it('a reply that is left out before anything was said of it is not said to be sent, and is told once', async () => {
  await using reply = await aWaitingReply(60_000)
  const { person, user, running } = reply
  await suppress(user, 'gus@example.test')
  await person.hears(
    'The reply to gus@example.test was not sent. Left out: this address is on your suppression list.',
  )
  await waiting(running, reply, 0)
  expect(person.transcript()).not.toMatch(/Reply sent|nobody was sent it/)
  expect(await listWatched(running.db, 24, { share: 1, settled: 50 })).toEqual([])
})
