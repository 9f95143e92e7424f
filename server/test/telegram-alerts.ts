import { sql } from 'kysely'
import { allRead } from './inbox.ts'
import { bring, inboxAddress } from './replies.ts'
import type { RunningApp } from './running-app.ts'
import type { LinkedChat } from './telegram.ts'
import { until } from './until.ts'

/** These mails have come to somebody who is linked, and are read. */
export async function arrive(
  running: RunningApp,
  port: number,
  { user }: LinkedChat,
  ...mails: string[]
): Promise<void> {
  const to = await inboxAddress(user.browser)
  for (const mail of mails) await bring(port, { from: 'bob@example.com', to }, mail)
  await allRead(running)
}

/** Waits until so many things are still to be told to somebody. */
export const waiting = ({ db }: RunningApp, { user }: LinkedChat, count: number): Promise<void> =>
  until(`${count} alerts wait`, async () => {
    const { rows } = await sql`
      select from telegram_alerts a join telegram_links l on l.id = a.link_id
      where l.user_id = ${user.userId} and a.told_at is null`.execute(db)
    return rows.length === count
  })
