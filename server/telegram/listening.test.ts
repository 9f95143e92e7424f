import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { createNotices } from '../platform/notices.ts'
import { freshDatabase } from '../test/database.ts'
import { until } from '../test/until.ts'
import { listenTo } from './listening.ts'

it('hears again by itself when its line was cut, asks to look for what it missed, and nothing after the signal', async () => {
  await using database = await freshDatabase()
  const { db, url } = database
  const notices = createNotices({ db, url, log: createLog('error') })
  const ending = new AbortController()
  const heard: string[] = []
  let misses = 0
  await listenTo(notices, ending.signal, {
    heard: ({ id }) => void heard.push(id),
    missed: () => {
      misses += 1
    },
  })
  const tell = (id: string) => {
    notices.publish({ userId: 'somebody', kind: 'campaign', id })
    return until(`${id} is heard`, async () => heard.includes(id))
  }
  await tell('before')
  expect(misses).toBe(0)
  for (const cut of [1, 2]) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'postrider notices'`.execute(db)
    await until('it hears again', async () => misses === cut)
    await tell(`after cut ${cut}`)
  }

  ending.abort()
  const others: string[] = []
  await notices.subscribe({ userId: null, heard: ({ id }) => void others.push(id), lost() {} })
  notices.publish({ userId: 'somebody', kind: 'campaign', id: 'afterwards' })
  await until('others hear it', async () => others.includes('afterwards'))
  expect(heard).toEqual(['before', 'after cut 1', 'after cut 2'])
  await notices.stop()
  expect(misses).toBe(2)
})
