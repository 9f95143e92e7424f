import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { signedIn } from '../test/accounts.ts'
import { recipients, send } from '../test/campaigns.ts'
import { freshDatabase } from '../test/database.ts'
import { aMail, INBOX_ENV } from '../test/inbox.ts'
import { aRunningApp } from '../test/running-app.ts'
import { startTelegramSimulator } from '../test/simulators/telegram.ts'
import { aLinkedChat, anAppWithBot, botEnv, type LinkedChat, type TelegramApp } from '../test/telegram.ts'
import { arrive, waiting } from '../test/telegram-alerts.ts'
import { until } from '../test/until.ts'
import { claimAlerts, insertReplies } from './store/alerts.ts'

const linkOf = async ({ running }: TelegramApp, { user }: LinkedChat): Promise<string> => {
  const { id } = await running.db
    .selectFrom('telegram_links')
    .select('id')
    .where('user_id', '=', user.userId)
    .executeTakeFirstOrThrow()
  return id
}

it('much at once is one message; Telegram’s refusals are waited out in order; who blocked the bot is told when they are back', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app, { isTold: true })
  app.telegram.lieNext('sendMessage', {
    kind: 'answer',
    status: 401,
    description: 'Unauthorized',
    when: 'before',
  })
  await arrive(app.running, port, ann, aMail({ Subject: 'One' }))
  await until('it is postponed', async () => {
    const { rows } = await sql`
      select from telegram_alerts a join telegram_links l on l.id = a.link_id
      where l.user_id = ${ann.user.userId} and a.claimed_until > now() + interval '10 seconds'
        -- While it is being told it is held for longer.
        and a.claimed_until < now() + interval '1 minute'`.execute(app.running.db)
    return rows.length === 1
  })
  const linkId = await linkOf(app, ann)
  // Longer than any machine takes for what follows.
  await sql`update telegram_alerts set claimed_until = now() + interval '1 hour' where link_id = ${linkId}`.execute(
    app.running.db,
  )
  await arrive(
    app.running,
    port,
    ann,
    ...['Two', 'Three', 'Four', '<b>Five'].map((Subject) => aMail({ Subject })),
  )
  await waiting(app.running, ann, 5)
  expect(await claimAlerts(app.running.db, linkId)).toEqual([])
  app.telegram.lieNext('sendMessage', {
    kind: 'answer',
    status: 500,
    description: 'Internal',
    when: 'before',
  })
  await sql`update telegram_alerts set claimed_until = null where link_id = ${linkId}`.execute(app.running.db)
  const all = await ann.person.hears('5 things have happened')
  expect(all.text.match(/: (One|Two|Three|Four|<b>Five)$/gm)).toEqual([
    ': One',
    ': Two',
    ': Three',
    ': Four',
    ': <b>Five',
  ])
  await ann.person.presses('Open inbox', all)
  await ann.person.hears('5 unread')

  ann.person.blocks()
  await until('the link is blocked', async () => {
    const { rows } =
      await sql`select from telegram_links where id = ${linkId} and blocked_at is not null`.execute(
        app.running.db,
      )
    return rows.length === 1
  })
  await arrive(app.running, port, ann, aMail({ Subject: 'Old one' }))
  await waiting(app.running, ann, 1)
  // As after months: so many that nobody wants to hear of them one by one, nor in portions.
  await sql`
    insert into telegram_alerts (link_id, kind, about, occasion)
    select link_id, kind, gen_random_uuid(), '' from telegram_alerts, generate_series(1, 999)
    where link_id = ${linkId} and told_at is null`.execute(app.running.db)
  await sql`update telegram_alerts set created_at = now() - interval '25 hours' where link_id = ${linkId} and told_at is null`.execute(
    app.running.db,
  )
  await arrive(app.running, port, ann, aMail({ Subject: 'New one' }))
  await waiting(app.running, ann, 1001)
  await ann.person.starts()
  await ann.person.hears('1,000 notices older than a day were left out')
  await ann.person.hears('New one')
  await waiting(app.running, ann, 0)
  expect(ann.person.transcript()).not.toContain('Old one')
  expect(ann.person.transcript().match(/older than a day/g)).toHaveLength(1)

  // Two that tell at the same time do not tell the same.
  await sql`update telegram_links set blocked_at = now() where id = ${linkId}`.execute(app.running.db)
  await arrive(app.running, port, ann, aMail({ Subject: 'For one of two' }))
  await waiting(app.running, ann, 1)
  const claims = await Promise.all([1, 2, 3].map(() => claimAlerts(app.running.db, linkId)))
  expect(claims.flat()).toHaveLength(1)
})

it('mails are told in the order in which they came, whichever was read first', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app, { isTold: true })
  const { db } = app.running
  const linkId = await linkOf(app, ann)
  // Nobody else tells them.
  await sql`update telegram_links set blocked_at = now() where id = ${linkId}`.execute(db)
  await arrive(app.running, port, ann, ...['One', 'Two'].map((Subject) => aMail({ Subject })))
  await waiting(app.running, ann, 2)
  const { rows: mails } = await sql<{ id: string }>`
    select id from inbox_messages where user_id = ${ann.user.userId} order by received_at`.execute(db)
  const ids = mails.map(({ id }) => id)
  // Nobody else finds them again between the two.
  await db.transaction().execute(async (tx) => {
    await sql`delete from telegram_alerts where about = any(${ids}::uuid[])`.execute(tx)
    for (const id of ids.toReversed()) await insertReplies(tx, { ids: [id] })
  })
  expect((await claimAlerts(db, linkId)).map(({ about }) => about)).toEqual(ids)
})

it('what happened while no process looked after the bot is told by the next one, once', async () => {
  await using database = await freshDatabase()
  const telegram = await startTelegramSimulator()
  const start = (env: Record<string, string>) => aRunningApp(env, { database })
  try {
    const first = await start(botEnv(telegram))
    const { person, user } = await aLinkedChat({ running: first, telegram }, { isTold: true })
    await first[Symbol.asyncDispose]()
    {
      await using without = await start({})
      const browser = await signedIn(without, user.userId)
      await send(browser, { subject: 'In between', recipients: recipients(3) })
      await without.settled()
    }
    for (let round = 0; round < 2; round++) {
      await using next = await start(botEnv(telegram))
      if (round === 0) await person.hears('Finished: In between')
      await next.settled()
      await person.says('/help')
      await person.hears('I can do this')
    }
    expect(person.transcript().match(/Finished: In between/g)).toHaveLength(1)
  } finally {
    await telegram.close()
  }
})

it('one who cannot be told keeps nobody else waiting, and a zone that is no more is not silence', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const lost = await aLinkedChat(app, { isTold: true })
  const bob = await aLinkedChat(app, { isTold: true, firstName: 'Bob' })
  await sql`
    update telegram_links set time_zone = 'Atlantis/Poseidonis', quiet_from = 1, quiet_until = 2
    where user_id = ${lost.user.userId}`.execute(app.running.db)
  await arrive(app.running, port, lost, aMail({ Subject: 'From the sea' }))
  await arrive(app.running, port, bob, aMail({ Subject: 'From the land' }))
  await bob.person.hears('From the land')
  await lost.person.hears('From the sea')
})

it('who would get an answer is said before it is written, and where that is nobody none is asked for', {
  tags: 'thorough',
}, async () => {
  await using app = await anAppWithBot(INBOX_ENV)
  const port = await app.running.app.inbound.listen({ host: '127.0.0.1', port: 0 })
  const ann = await aLinkedChat(app, { isTold: true })
  await arrive(app.running, port, ann, aMail({ From: 'boss@company.test', 'Reply-To': 'x@evil.test' }))
  const elsewhere = await ann.person.hears('New mail from boss@company.test')
  expect(elsewhere.text).toContain(
    'To answer, reply to this message. It goes to x@evil.test, as the sender wishes.',
  )
  expect(elsewhere.buttons).toEqual([['Read', 'Reply']])
  await arrive(app.running, port, ann, aMail({ From: 'Kiosk <>', Subject: 'From nowhere' }))
  const nobody = await ann.person.hears('From nowhere')
  expect(nobody.text).toContain('There is nobody to answer')
  expect(nobody.text).not.toContain('To answer')
  expect(nobody.buttons).toEqual([['Read']])
})
