import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { aLinkedChat, anAppWithBot, type TelegramApp } from '../test/telegram.ts'
import { until } from '../test/until.ts'

/** As a start does that finds a restored copy, or a connection that finds a standby in the place of the database. */
const becomeAnotherCopy = ({ running }: TelegramApp) =>
  sql`update installation set copy_number = copy_number + 1`.execute(running.db)

const isIntroduced = async ({ running }: TelegramApp): Promise<boolean> => {
  const { rows } = await sql`
    select from telegram_bots b join installation i on i.copy_number = b.copy_number`.execute(running.db)
  return rows.length === 1
}

it('what waits at Telegram when the database has become another copy is not done, and what is said then is', async () => {
  await using app = await anAppWithBot()
  const { person } = await aLinkedChat(app)
  await becomeAnotherCopy(app)
  await person.says('/campaigns')
  await until('the bot is introduced to the copy', () => isIntroduced(app))
  await person.says('/help')
  await person.hears(/I can do this/)
  const { rows } = await sql`select from telegram_updates where content::text like '%/campaigns%'`.execute(
    app.running.db,
  )
  expect(rows).toEqual([])
})
