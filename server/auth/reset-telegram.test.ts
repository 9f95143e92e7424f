import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aUser, type SignedIn } from '../test/accounts.ts'
import { aCode, aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'
import { until } from '../test/until.ts'

let app: TelegramApp
beforeAll(async () => {
  app = await anAppWithBot()
})
afterAll(() => app[Symbol.asyncDispose]())

async function aResetToken({ email }: SignedIn): Promise<string | null> {
  await app.running.browser().post('/api/auth/forgot-password', { email })
  return (await app.running.mails.link(email, '/reset-password')).searchParams.get('token')
}

const reset = (token: string | null) =>
  app.running.browser().post('/api/auth/reset-password', { token, password: 'quite another phrase' })

/** Sets a new password by the link in the mail; answers what the mail about it says. */
async function resetPassword(user: SignedIn): Promise<string> {
  expect(await reset(await aResetToken(user))).toMatchObject({ status: 200 })
  return (await app.running.mails.latest(user.email, 2)).text.replace(/\s+/g, ' ')
}

const UNLINKED = 'The Telegram account that was linked to it has been unlinked'

describe('a new password', () => {
  it('takes the account out of the hands of the Telegram account that was linked, and says so', async () => {
    const { user, person } = await aLinkedChat(app)
    await person.says('/campaigns')
    await person.hears(/nothing yet/)
    expect(await resetPassword(user)).toContain(UNLINKED)
    await person.says('/campaigns')
    await person.hears(/not linked to Postrider yet/)
    const links = await app.running.db
      .selectFrom('telegram_links')
      .select('id')
      .where('user_id', '=', user.userId)
      .execute()
    expect(links).toEqual([])
  })

  it('makes a code worthless that nobody has sent to the bot yet', async () => {
    const user = await aUser(app.running)
    const code = await aCode(user)
    expect(await resetPassword(user)).not.toContain('Telegram')
    const eve = app.telegram.person({ firstName: 'Eve' })
    await eve.starts(code)
    await eve.hears(/do not know this code/)
  })

  it('leaves no link either that is just being made by such a code', async () => {
    const { db } = app.running
    const user = await aUser(app.running)
    await aCode(user)
    const token = await aResetToken(user)
    const eve = app.telegram.person({ firstName: 'Eve' })
    let resetting: ReturnType<typeof reset> | undefined
    // As the bot does it, only slower.
    await db.transaction().execute(async (tx) => {
      // Whoever holds a lock and does nothing for long is cut off, which is not what is looked at here.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await tx.deleteFrom('telegram_codes').where('user_id', '=', user.userId).execute()
      resetting = reset(token)
      await until('the reset waits for the code', async () => {
        const { rows } = await sql`select from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%telegram_codes%'`.execute(db)
        return rows.length > 0
      })
      await tx
        .insertInto('telegram_links')
        .values({
          user_id: user.userId,
          telegram_user_id: String(eve.user.id),
          first_name: 'Eve',
          time_zone: 'UTC',
        })
        .execute()
    })
    expect(await resetting).toMatchObject({ status: 200 })
    await eve.starts()
    await eve.hears(/not linked to Postrider yet/)
  })

  it('unlinks nobody else', async () => {
    const other = await aLinkedChat(app)
    await resetPassword((await aLinkedChat(app)).user)
    await other.person.says('/help')
    await other.person.hears(/I can do this/)
  })
})
