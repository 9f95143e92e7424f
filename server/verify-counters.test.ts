import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { freshDatabase } from './test/database.ts'
import { TEST_KEY } from './test/running-app.ts'
import { aStoredCampaign } from './test/stored-campaign.ts'

const PROGRAM = fileURLToPath(new URL('verify-counters.ts', import.meta.url))

const verify = (databaseUrl: string): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, SECRET_KEY: TEST_KEY }
    const child = execFile(process.execPath, [PROGRAM], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })

it('says that counters and deliveries agree, and names the campaign and the counter when they do not', async () => {
  await using database = await freshDatabase()
  const { id } = await aStoredCampaign(database.db, 3)
  expect(await verify(database.url)).toEqual({
    code: 0,
    output: '0 differences in 1 campaigns with 3 deliveries\n',
  })

  await database.db
    .updateTable('runs')
    .set({ queued: 2, accepted: 1 })
    .where('campaign_id', '=', id)
    .execute()
  const { code, output } = await verify(database.url)
  expect(code).toBe(1)
  expect(output).toContain(`Campaign ${id}: queued says 2, its deliveries say 3`)
  expect(output).toContain(`Campaign ${id}: accepted says 1, its deliveries say 0`)
})

it('says in one sentence that the database cannot be reached', { tags: 'thorough' }, async () => {
  const { code, output } = await verify('postgres://nobody@127.0.0.1:1/none')
  expect(code).toBe(1)
  expect(output).toMatch(/^The database does not answer .*\n$/)
})
